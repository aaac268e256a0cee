# SPDX-License-Identifier: BSD-2-Clause
"""Generated problems. Oracles: statics (the floor carries the weight), the W of the files gen_* of others, positive
semidefinite G, the same bits for the same seed, a linear program for problems without a solution."""

import numpy as np
import pytest

import stiction as st
from stiction.generate import bodies, files
from stiction.generate import robots as robot_steps

GRAVITY, STEP = 9.81, 0.01
BOXES = ["stack", "wall", "tower", "heap", "train", "table", "mass_ratio"]
OTHERS = ["packing", "wedge", "arch", "duplicated"]
SMALL = {
    "wall": {"columns": 3, "rows": 3},
    "tower": {"storeys": 1},
    "packing": {"sites": (3, 3, 3)},
    "heap": {"count": 6},
}


def make(name, **settings):
    return getattr(st.generate, name)(**{**SMALL.get(name, {}), **settings})


def floor_impulse(problem, bodies_on_floor, weight):
    impulse, report = st.solve(problem, tolerance=1e-10)
    assert report.status == "converged"
    return impulse.reshape(-1, 3)[:bodies_on_floor, 2].sum() / (weight * GRAVITY * STEP)


@pytest.mark.parametrize("count", [1, 2, 5])
def test_floor_carries_a_stack(count):
    assert floor_impulse(st.generate.stack(count), 4, count) == pytest.approx(1.0, abs=1e-8)


def test_floor_carries_light_below_heavy():
    mass = 1e-3 + 1e3
    assert floor_impulse(st.generate.mass_ratio(1e6, 2), 4, mass) == pytest.approx(1.0, abs=1e-8)


@pytest.mark.parametrize("legs", [3, 4, 7])
def test_floor_carries_a_table(legs):
    assert floor_impulse(st.generate.table(legs), legs, 20.0) == pytest.approx(1.0, abs=1e-8)


def test_floor_carries_a_wall_and_a_tower():
    for problem, floor, weight in ((st.generate.wall(3, 3, speed=0.0), 12, 8.0), (st.generate.tower(1), 32, 170.0)):
        impulse, report = st.solve(problem, tolerance=1e-10)
        assert report.status == "converged"
        on_floor = [i for i in range(problem.contacts) if np.isclose(contact_heights(problem, i), 0.0)][:floor]
        assert impulse.reshape(-1, 3)[on_floor, 2].sum() == pytest.approx(weight * GRAVITY * STEP, rel=1e-8)


def contact_heights(problem, contact):
    """0 for a contact with the floor: its rows touch one body only, so H has 6 columns of it."""
    start, (indptr, indices, _) = problem.bodies
    columns = np.unique(indices[indptr[3 * contact] : indptr[3 * contact + 3]])
    return float(len(np.unique(np.searchsorted(start, columns, side="right"))) - 1)


def test_arch_stands_and_its_springings_carry_it():
    problem = st.generate.arch(9)
    impulse, report = st.solve(problem, tolerance=1e-10)
    r = impulse.reshape(-1, 3)
    normal = r[:4, 2].sum() + r[-4:, 2].sum()  # joints at the springings are horizontal
    assert report.status == "converged" and normal == pytest.approx(9 * 50.0 * GRAVITY * STEP, rel=1e-8)


def test_noise_opens_contacts_and_nothing_else():
    exact, shaken = (st.generate.tower(1, noise=noise) for noise in (0.0, 1e-6))
    opened = shaken.g.reshape(-1, 3) - exact.g.reshape(-1, 3)
    assert np.all(opened[:, 2] > 0.0) and opened[:, 2].max() < 5e-6 / STEP and not opened[:, :2].any()


def test_gap_lets_a_stack_fall():
    falling = st.generate.stack(3, gap=2 * GRAVITY * STEP**2)
    assert np.all(falling.g[2::3] > 0.0)


@pytest.mark.parametrize("name, make_problem", [
    ("gen_stack_5", lambda: st.generate.stack(5)), ("gen_stack_20", lambda: st.generate.stack(20)),
    ("gen_stack_push_20", lambda: st.generate.stack(20, lean=0.02, speed=0.3, mu=0.3)),
    ("gen_wall_6x8", lambda: st.generate.wall(6, 8)), ("gen_wall_20x30", lambda: st.generate.wall(20, 30)),
])  # fmt: skip
def test_files_of_others_are_rebuilt(third_party, name, make_problem):
    """Same contacts in the same order: W agrees to round-off, q too where nothing is random."""
    pytest.importorskip("h5py")
    sparse = pytest.importorskip("scipy.sparse")
    ours, theirs = make_problem(), st.fclib.load(third_party / "fclib" / f"{name}.hdf5")
    matrices = []
    for problem in (ours, theirs):
        indptr, indices, data = problem.sparse()
        matrices.append(sparse.csr_array((data, indices, indptr), shape=(problem.rows, problem.rows)))
    largest = abs(matrices[1]).max()
    # whitening by a Cholesky factor rounds twice per entry, the formula of the files once
    assert abs(matrices[0] - matrices[1]).max() <= 4e-16 * largest
    assert np.array_equal(ours.mu, theirs.mu)
    if name in ("gen_stack_5", "gen_stack_20"):
        assert np.abs(ours.g - theirs.g).max() <= 4e-16 * np.abs(theirs.g).max()


@pytest.mark.parametrize("name", ["stack", "wall"])
def test_geometry_reproduces_the_matrix_of_others_to_the_last_bit(third_party, name):
    """M and H themselves, multiplied as the specification says: 1e-16 of the largest entry."""
    pytest.importorskip("h5py")
    given = st.generate.stack(20, form="global") if name == "stack" else st.generate.wall(6, 8, form="global")
    theirs = st.fclib.load(third_party / "fclib" / ("gen_stack_20.hdf5" if name == "stack" else "gen_wall_6x8.hdf5"))
    J = np.zeros((given.w.size, given.f.size))
    J[np.repeat(np.arange(given.w.size), np.diff(given.J[0])), given.J[1]] = given.J[2]
    W = (J / given.M[2]) @ J.T
    assert np.abs(W - theirs.G).max() <= 1e-16 * np.abs(theirs.G).max()


@pytest.mark.parametrize("name", BOXES + OTHERS)
def test_every_form_is_the_same_problem(name):
    whole = make(name, seed=3)
    assert whole.storage == "body_space" and whole.contacts * 3 == whole.rows
    for form, storage in {"sparse": "block_sparse", "dense": "dense"}.items():
        other = make(name, seed=3, form=form)
        assert other.storage == storage
        assert np.abs(other.G - whole.G).max() <= 1e-14 * np.abs(whole.G).max()
        assert np.array_equal(other.g, whole.g)
    again = make(name, seed=3, form="global").problem()
    assert np.array_equal(again.G, whole.G) and np.array_equal(again.g, whole.g)


@pytest.mark.parametrize("name", BOXES + OTHERS)
def test_positive_semidefinite_and_feasible(name):
    problem = make(name, seed=1)
    values = np.linalg.eigvalsh(problem.G)
    assert values[0] >= -1e-12 * values[-1]
    reach = np.linalg.lstsq(problem.G, -problem.g, rcond=1e-10)[0]  # u = 0 can be reached
    assert np.abs(problem.multiply(reach) + problem.g).max() <= 1e-8 * np.abs(problem.g).max()


def test_packings_have_the_announced_size():
    """256 spheres and about 1300 contacts as gen_spheres_s (1301), about 4600 for the large one."""
    assert 1250 <= st.generate.packing().contacts <= 1350
    assert 4500 <= st.generate.packing((12, 12, 12)).contacts <= 4750
    assert st.generate.tower().contacts == 872


def test_same_seed_same_bits():
    first = list(st.generate.sample(seed=5, count=30, max_contacts=300))
    second = list(st.generate.sample(seed=5, count=30, max_contacts=300))
    other = list(st.generate.sample(seed=6, count=30, max_contacts=300))
    for a, b in zip(first, second, strict=True):
        assert (
            a.name == b.name
            and np.array_equal(a.problem.g, b.problem.g)
            and np.array_equal(a.problem.mu, b.problem.mu, equal_nan=True)
        )
        assert np.array_equal(a.problem.multiply(np.ones(a.problem.rows)), b.problem.multiply(np.ones(b.problem.rows)))
    assert any(a.problem.rows != b.problem.rows for a, b in zip(first, other, strict=True))
    assert np.array_equal(st.generate.item(5, 17, 300).problem.g, first[17].problem.g)
    assert len({item.family for item in first}) >= 6


def test_sample_has_all_families_and_sizes():
    found = [st.generate.item(1, i) for i in range(200)]
    assert {item.family for item in found} >= set(st.generate.FAMILIES) - {"robot"}
    sizes = [item.problem.contacts for item in found]
    assert min(sizes) <= 2 and max(sizes) >= 1000 and np.median(sizes) <= 100


def test_duplicated_contacts_are_equal():
    problem = st.generate.duplicated(3, 2)
    rows = problem.G.reshape(-1, 3, problem.rows)
    assert (
        np.array_equal(rows[0], rows[1]) and np.array_equal(rows[1], rows[2]) and not np.array_equal(rows[2], rows[3])
    )


def test_adversarial_problems_keep_their_promises():
    for seed in range(40):
        problem = st.generate.adversarial(seed=seed)
        values = np.linalg.eigvalsh(problem.G)
        kept = values[values > 1e-9 * values[-1]]
        assert values[0] > -1e-12 * values[-1] and kept[-1] / kept[0] <= 1.01e6
        assert problem.mu.min() >= 0.0 and problem.mu.max() <= 2.0
    fixed = np.linalg.eigvalsh(st.generate.adversarial(6, seed=1, kind="spectrum", condition=1e4, rank=0.5).G)
    assert np.count_nonzero(fixed > 1e-9) == 9 and fixed[-1] / fixed[-9] == pytest.approx(1e4)


def test_infeasible_problems_are_proven_so():
    """A linear program finds the proof, and the proof is checked by hand; feasible problems have none."""
    pytest.importorskip("scipy")
    for seed in range(40):
        proof = st.generate.certificate(st.generate.infeasible(seed=seed))
        assert proof is not None and np.all(proof.y >= 0.0) and proof.defect <= 1e-9 and proof.gap < -1e-3
    for problem in (st.generate.wedge(), st.generate.adversarial(seed=1), st.generate.stack(3, speed=1.0)):
        assert st.generate.certificate(problem) is None


@pytest.mark.parametrize("behaviour", robot_steps.BEHAVIOURS)
def test_robots_touch_the_ground(behaviour):
    for name in robot_steps.available():
        problems = st.generate.episode(name, behaviour, 1, count=5)
        assert problems and all(p.contacts >= 1 and p.dt is None for p in problems), name


def test_a_fallen_robot_lies_on_more_than_its_feet():
    problems = [p for seed in range(3) for p in st.generate.episode("anymal", "fallen", seed)]
    assert max(p.contacts for p in problems) >= 6 and len(problems) == 120


def test_new_seeds_make_new_robots():
    first, second = ([p.g for p in st.generate.episode("anymal", "stepping", seed, count=5)] for seed in (1, 2))
    assert not any(np.array_equal(a, b) for a, b in zip(first, second, strict=False))


def test_frames_are_right_handed_and_those_of_the_files():
    normal = np.array([[0.0, 0, 1], [1.0, 0, 0], [0.6, 0, 0.8], [0, -1.0, 0]])
    frames = bodies.contact_frames(normal)
    assert np.allclose(frames[0], [[0, 1, 0], [-1, 0, 0], [0, 0, 1]])
    assert np.allclose(frames @ frames.transpose(0, 2, 1), np.eye(3)) and np.allclose(np.linalg.det(frames), 1.0)


@pytest.mark.parametrize("form", ["local", "global"])
@pytest.mark.parametrize("family", [*files.MAKERS, "sample"])
def test_files_of_every_family(tmp_path, family, form):
    pytest.importorskip("h5py")
    written = files.write(
        family,
        tmp_path,
        seed=2,
        count=2,
        form=form,
        settings=SMALL.get(family),
        contacts=40 if family == "sample" else None,
    )
    assert len(written) == 2
    for one in written:
        problem = st.fclib.load(tmp_path / one.file)
        assert problem.contacts == one.contacts or family in ("robot", "sample")  # joint limits are contacts in files
        assert problem.storage == ("body_space" if form == "global" else "block_sparse")


def test_wrong_families(tmp_path):
    with pytest.raises(ValueError, match="unknown family 'wal'; did you mean 'wall'"):
        files.write("wal", tmp_path)
    with pytest.raises(ValueError, match="has no parameter 'colour'"):
        files.write("wall", tmp_path, settings={"colour": 1})
    with pytest.raises(ValueError, match="form is 'thin'"):
        st.generate.stack(2, form="thin")
    with pytest.raises(ValueError, match="at least 2"):
        st.generate.infeasible(1)
