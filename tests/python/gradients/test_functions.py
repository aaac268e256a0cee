# SPDX-License-Identifier: BSD-2-Clause
"""Rollouts and steps as functions of other libraries. Oracle: differences of the same functions."""

import runpy
import sys
from pathlib import Path

import numpy as np
import pytest

import stiction as st
from stiction.gradients import Rollout, StepModel, casadi_step, for_jax, for_torch, tangent_map

LINK = """<joint name="j{i}" type="continuous"><parent link="l{before}"/><child link="l{i}"/><axis xyz="{axis}"/>
<origin xyz="0.05 0.02 0.2"/></joint><link name="l{i}"><inertial><origin xyz="0.01 0.02 0.1"/><mass value="0.8"/>
<inertia ixx="0.01" iyy="0.012" izz="0.005" ixy="0" ixz="0" iyz="0"/></inertial></link>"""


def machine():
    """A floating arm of two hinges that turn for ever, with a ball for a foot."""
    links = "".join(LINK.format(i=i, before=i - 1, axis="0 1 0") for i in (1, 2))
    base = """<link name="l0"><inertial><mass value="2"/><inertia ixx=".02" iyy=".03" izz=".04" ixy="0" ixz="0" iyz="0"/></inertial>
<collision><geometry><sphere radius="0.1"/></geometry></collision></link>"""
    world = st.World()
    world.add_ground(mu=0.3)
    world.add_urdf_text(f'<robot name="arm">{base}{links}</robot>', position=(0, 0, 0.0995))
    sim = st.Simulator(world, dt=1e-3, solver_options={"tolerance": 1e-12})
    sim.v[:] = [0.5, 0.1, -0.2, 0.3, 0.2, 0.1, 1.0, -0.5]
    return sim


def loss_and_gradient(sim, steps=12):
    """A function of all that comes out, its gradient by vjp, and its differences."""
    rng = np.random.default_rng(0)
    f = Rollout(sim)
    q0, v0, u = np.array(sim.q), np.array(sim.v), 0.1 * rng.normal(size=(steps, sim.ntau))
    wq, wv = rng.normal(size=(steps + 1, sim.nq)), rng.normal(size=(steps + 1, sim.nv))

    def loss(q, v, control):
        out_q, out_v = f(q, v, control)
        return (wq * out_q).sum() + (wv * out_v).sum()

    return f, (q0, v0, u), (wq, wv), loss


def test_rollout_vjp_against_differences():
    sim = machine()
    f, (q0, v0, u), bars, loss = loss_and_gradient(sim)
    bar_q, bar_v, bar_u = f.vjp(q0, v0, u, *bars)
    e, nv = 1e-6, sim.nv
    for d in np.eye(nv):
        up, down = sim.integrate(q0, e * d), sim.integrate(q0, -e * d)
        assert np.isclose(
            bar_q @ (tangent_map(sim, q0) @ d), (loss(up, v0, u) - loss(down, v0, u)) / (2 * e), rtol=1e-5, atol=1e-5
        )
        assert np.isclose(
            bar_v @ d, (loss(q0, v0 + e * d, u) - loss(q0, v0 - e * d, u)) / (2 * e), rtol=1e-5, atol=1e-5
        )
    d = np.random.default_rng(1).normal(size=u.shape)
    assert np.isclose(
        (bar_u * d).sum(), (loss(q0, v0, u + e * d) - loss(q0, v0, u - e * d)) / (2 * e), rtol=1e-5, atol=1e-6
    )


def test_rollout_of_a_batch_with_vjp():
    sim = machine()
    rng = np.random.default_rng(2)
    starts = np.array([np.concatenate([sim.q, sim.v + 0.1 * rng.normal(size=sim.nv)]) for _ in range(3)])
    u, bars = 0.1 * rng.normal(size=(3, 7, sim.ntau)), rng.normal(size=(3, 7, 2 * sim.nv))
    states, gradients = st.rollout(sim, starts, u, vjp=bars)
    assert np.array_equal(states, st.rollout(sim, starts, u))
    for i in range(3):
        one = sim.variant()
        one.q[:], one.v[:] = starts[i][: sim.nq], starts[i][sim.nq :]
        line = st.linearize(one, u[i])
        assert np.array_equal(line.q[1:], states[i][:, : sim.nq])
        wanted = line.backward(np.vstack([np.zeros(2 * sim.nv), bars[i]]))
        assert np.array_equal(gradients[i].x0, wanted.x0) and np.array_equal(gradients[i].u, wanted.u)
    _, last = st.rollout(sim, starts, u, vjp=bars[:, -1])
    assert np.array_equal(last[0].x0, one_of(sim, starts[0], u[0]).backward(bars[0, -1]).x0)
    with pytest.raises(ValueError, match="vjp has shape"):
        st.rollout(sim, starts, u, vjp=bars[:, :3])


def one_of(sim, start, u):
    one = sim.variant()
    one.q[:], one.v[:] = start[: sim.nq], start[sim.nq :]
    return st.linearize(one, u)


def test_backward_is_a_method():
    sim = machine()
    bar = np.arange(16.0)
    u = np.zeros((5, sim.ntau))
    assert np.array_equal(sim.backward(bar, u).x0, st.backward(sim, u, bar).x0)
    assert np.array_equal(sim.backward(bar).x0, sim.step_derivatives().dx.T @ bar)
    bars = np.ones((4, 16))
    assert np.array_equal(sim.backward(bars).u, st.backward(sim, u[:3], bars).u)


def test_step_model():
    sim = machine()

    def cost(x, u):
        n = 16
        return u @ u, np.zeros(n), 2 * u, np.zeros((n, n)), np.zeros((n, 2)), 2 * np.eye(2)

    model = StepModel(sim, cost)
    data, x, u, e = model.createData(), model.zero(), np.array([0.2, -0.1]), 1e-6
    model.calc(data, x, u)
    model.calcDiff(data, x, u)
    assert data.cost == u @ u and np.array_equal(data.Lu, 2 * u)
    start, end = model.createData(), model.createData()
    for j in range(16):
        d = e * np.eye(16)[j]
        model.calc(end, model.integrate(x, d), u), model.calc(start, model.integrate(x, -d), u)
        wanted = (model.diff(data.xnext, end.xnext) - model.diff(data.xnext, start.xnext)) / (2 * e)
        assert np.allclose(data.Fx[:, j], wanted, rtol=0, atol=1e-6 * max(1.0, np.abs(data.Fx).max()))
    for j in range(2):
        model.calc(end, x, u + e * np.eye(2)[j]), model.calc(start, x, u - e * np.eye(2)[j])
        assert np.allclose(data.Fu[:, j], model.diff(start.xnext, end.xnext) / (2 * e), rtol=0, atol=1e-7)
    with pytest.raises(ValueError, match="x has shape"):
        model.calc(data, x[:-1], u)


def test_casadi():
    casadi = pytest.importorskip("casadi", reason="CasADi is not installed")
    sim = machine()
    f = casadi_step(sim)
    x = np.concatenate([sim.q, sim.v])
    X, U = casadi.MX.sym("x", len(x)), casadi.MX.sym("u", 2)
    jacobian = casadi.Function("j", [X, U], [casadi.jacobian(f(X, U), X), casadi.jacobian(f(X, U), U)])
    by_x, by_u = (np.array(m) for m in jacobian(x, [0.1, 0.2]))
    model = StepModel(sim)
    for j in range(sim.nv):
        d, e, out = np.eye(2 * sim.nv)[j], 1e-6, []
        for sign in (1, -1):
            data = model.createData()
            model.calc(data, model.integrate(x, sign * e * d), [0.1, 0.2])
            out.append(data.xnext)
        along = np.concatenate([tangent_map(sim, sim.q) @ d[: sim.nv], d[sim.nv :]])
        assert np.allclose(by_x @ along, (out[0] - out[1]) / (2 * e), rtol=0, atol=1e-5)
    assert by_u.shape == (len(x), 2) and by_u.any()


def test_jax():
    jax = pytest.importorskip("jax", reason="JAX is not installed")
    jax.config.update("jax_enable_x64", True)
    sim = machine()
    _, (q0, v0, u), (wq, wv), _ = loss_and_gradient(sim)
    f, reference = for_jax(sim), Rollout(sim)

    def loss(q, v, control):
        out_q, out_v = f(q, v, control)
        return (wq * out_q).sum() + (wv * out_v).sum()

    got = jax.jit(jax.grad(loss, argnums=(0, 1, 2)))(q0, v0, u)
    for mine, wanted in zip(got, reference.vjp(q0, v0, u, wq, wv), strict=True):
        assert np.allclose(np.asarray(mine), wanted, rtol=1e-12, atol=1e-12)


def test_torch():
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    sim = machine()
    _, (q0, v0, u), (wq, wv), _ = loss_and_gradient(sim)
    f, reference = for_torch(sim), Rollout(sim)
    given = [torch.tensor(x, requires_grad=True) for x in (q0, v0, u)]
    q, v = f(*given)
    ((torch.tensor(wq) * q).sum() + (torch.tensor(wv) * v).sum()).backward()
    for mine, wanted in zip(given, reference.vjp(q0, v0, u, wq, wv), strict=True):
        assert np.allclose(mine.grad.numpy(), wanted, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("which", [for_torch, for_jax, casadi_step])
def test_what_is_missing_is_named(which, monkeypatch):
    for name in ("torch", "jax", "casadi"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ImportError, match="pip install"):
        which(machine())


@pytest.mark.parametrize(("library", "name"), [("jax", "JAX"), ("torch", "PyTorch")])
def test_examples(library, name):
    pytest.importorskip(library, reason=f"{name} is not installed")
    runpy.run_path(str(Path(__file__).resolve().parents[3] / "examples" / f"push_with_{library}.py"))
