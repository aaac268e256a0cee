# SPDX-License-Identifier: BSD-2-Clause
"""stiction.rotations. Oracle: SciPy's Rotation."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from stiction import rotations

RANDOM = Rotation.random(20, rng=np.random.default_rng(3))
SPECIAL = Rotation.from_rotvec([[0, 0, 0], [np.pi, 0, 0], [0, 1e-9, 0], [0, 0, -3.0], [1e-14, 0, 0]])
TURNS = [*RANDOM, *SPECIAL]
CLOSE = dict(rtol=0.0, atol=1e-14)


@pytest.mark.parametrize("turn", TURNS)
def test_matrix_and_rotated_vectors(turn):
    x = np.array([0.3, -1.2, 0.7])
    q = turn.as_quat()
    np.testing.assert_allclose(rotations.rotation_matrix(q), turn.as_matrix(), **CLOSE)
    np.testing.assert_allclose(rotations.rotate(q, x), turn.apply(x), **CLOSE)
    np.testing.assert_allclose(rotations.rotate(tuple(q), tuple(x)), turn.apply(x), **CLOSE)


@pytest.mark.parametrize("turn", TURNS)
def test_rotation_vectors(turn):
    np.testing.assert_allclose(rotations.rotation_of_vector(turn.as_rotvec()), turn.as_matrix(), **CLOSE)


@pytest.mark.parametrize("sign", [1.0, -1.0])
@pytest.mark.parametrize("turn", TURNS)
def test_error_is_the_logarithm_of_the_way_in_world_axes(turn, sign):
    """q and -q are one rotation. At half a turn both axes are right: the rotation decides, not the vector."""
    for now in RANDOM[:5]:
        error = rotations.rotation_error(sign * (turn * now).as_quat(), now.as_quat())
        assert np.linalg.norm(error) <= np.pi + 1e-14
        np.testing.assert_allclose(Rotation.from_rotvec(error).as_matrix(), turn.as_matrix(), rtol=0.0, atol=2e-14)


def test_angle_between_two_orientations():
    for a, b in zip(RANDOM, RANDOM[::-1], strict=True):
        assert rotations.angle_between(a.as_quat(), -b.as_quat()) == pytest.approx((a * b.inv()).magnitude(), abs=1e-12)


@pytest.mark.parametrize("angle", [-3.0, -0.4, 0.0, 1.1, 3.1])
def test_heading(angle):
    q = rotations.about_z(angle)
    np.testing.assert_allclose(q, Rotation.from_euler("z", angle).as_quat(canonical=True), **CLOSE)
    assert rotations.yaw_of(q) == pytest.approx(angle, abs=1e-14)
    tilted = Rotation.from_quat(q) * Rotation.from_euler("y", 0.3)
    assert rotations.yaw_of(tilted.as_quat()) == pytest.approx(angle, abs=1e-14)


def test_roll_pitch_yaw_are_about_fixed_axes():
    for rpy in ([0.1, 0.2, 0.3], [-2.0, 1.4, 3.0], [0.0, 0.0, 0.0]):
        np.testing.assert_allclose(
            rotations.rotation_of_rpy(*rpy), Rotation.from_euler("xyz", rpy).as_matrix(), **CLOSE
        )


def test_orders_of_quaternions():
    many = RANDOM.as_quat()
    np.testing.assert_array_equal(rotations.wxyz(many), RANDOM.as_quat(scalar_first=True))
    np.testing.assert_array_equal(rotations.wxyz(many[0]), RANDOM[0].as_quat(scalar_first=True))
    np.testing.assert_array_equal(rotations.xyzw(rotations.wxyz(many)), many)


def test_products():
    a, b = np.array([1.0, 2.0, -3.0]), np.array([0.5, -0.1, 4.0])
    np.testing.assert_array_equal(rotations.cross(a, b), np.cross(a, b))
    np.testing.assert_array_equal(rotations.skew(a) @ b, np.cross(a, b))
