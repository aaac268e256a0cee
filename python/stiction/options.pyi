# SPDX-License-Identifier: BSD-2-Clause
# Made by stiction.options.stub() from the catalog: python tools/write_options_stub.py; do not edit.
from typing import Any, ClassVar

class Options(dict[str, Any]):
    kind: ClassVar[str]
    method: ClassVar[str]
    defaults: ClassVar[dict[str, Any]]

class LawOptions(Options): ...
class SolverOptions(Options): ...
class StepperOptions(Options): ...

class CoulombLaw(LawOptions):
    """exact Coulomb friction with Signorini's condition (NCP): K ∋ λ ⟂ u + Γ(u) ∈ K*

    Parameters
    ----------
    baumgarte : float
        share of the overlap corrected per step [-]
    correction_speed : float
        cap of the drift correction [m/s]
    dead_band : float
        gap within which no velocity is asked for [m, rad]
    margin : float
        smallest look-ahead distance [m]
    restitution_threshold : float
        slower impacts do not rebound [m/s]
    softness : str
        rigid, or file: contacts, limits and equalities of MJCF files as soft as they say
    """
    def __init__(self, *, baumgarte: float = 0.1, correction_speed: float = 1.0, dead_band: float = 1e-06, margin: float = 0.0002, restitution_threshold: float = 0.01, softness: str = 'rigid') -> None: ...

class ConvexLaw(LawOptions):
    """cone complementarity (CCP): K ∋ λ ⟂ u ∈ K*; a convex problem

    Parameters
    ----------
    baumgarte : float
        share of the overlap corrected per step [-]
    correction_speed : float
        cap of the drift correction [m/s]
    dead_band : float
        gap within which no velocity is asked for [m, rad]
    margin : float
        smallest look-ahead distance [m]
    restitution_threshold : float
        slower impacts do not rebound [m/s]
    softness : str
        rigid, or file: contacts, limits and equalities of MJCF files as soft as they say
    """
    def __init__(self, *, baumgarte: float = 0.1, correction_speed: float = 1.0, dead_band: float = 1e-06, margin: float = 0.0002, restitution_threshold: float = 0.01, softness: str = 'rigid') -> None: ...

class PyramidLaw(LawOptions):
    """friction pyramid of four or any even number of facets (LCP)

    Parameters
    ----------
    baumgarte : float
        share of the overlap corrected per step [-]
    correction_speed : float
        cap of the drift correction [m/s]
    dead_band : float
        gap within which no velocity is asked for [m, rad]
    margin : float
        smallest look-ahead distance [m]
    restitution_threshold : float
        slower impacts do not rebound [m/s]
    angle : float
        pyramid only: rotation of its first axis from T1 about N [rad]
    facets : int
        pyramid only: number of facets [-]
    softness : str
        rigid, or file: contacts, limits and equalities of MJCF files as soft as they say
    """
    def __init__(self, *, baumgarte: float = 0.1, correction_speed: float = 1.0, dead_band: float = 1e-06, margin: float = 0.0002, restitution_threshold: float = 0.01, angle: float = 0.0, facets: int = 4, softness: str = 'rigid') -> None: ...

class RaisimLaw(LawOptions):
    """Signorini and the Coulomb cone; sliding minimises ½λᵀG_iiλ + c̃ᵀλ at u_N = 0, contact by contact

    Parameters
    ----------
    baumgarte : float
        share of the overlap corrected per step [-]
    correction_speed : float
        cap of the drift correction [m/s]
    dead_band : float
        gap within which no velocity is asked for [m, rad]
    margin : float
        smallest look-ahead distance [m]
    restitution_threshold : float
        slower impacts do not rebound [m/s]
    softness : str
        rigid, or file: contacts, limits and equalities of MJCF files as soft as they say
    """
    def __init__(self, *, baumgarte: float = 0.1, correction_speed: float = 1.0, dead_band: float = 1e-06, margin: float = 0.0002, restitution_threshold: float = 0.01, softness: str = 'rigid') -> None: ...

class AnchoredLaw(LawOptions):
    """soft contact: a spring-damper to an anchor point that slips with the Coulomb cone

    Parameters
    ----------
    stiffness : float
        K of a contact point whose materials name none [N/m]
    damping : float
        B of a contact point whose materials name none [N s/m]
    stiffness_ratio_t1 : float
        K along T1 over K along the normal [-]
    stiffness_ratio_t2 : float
        K along T2 over K along the normal [-]
    damping_ratio_t1 : float
        B along T1 over B along the normal [-]
    damping_ratio_t2 : float
        B along T2 over B along the normal [-]
    surface_anchoring : bool
        normal anchor on the surface, not where the point was found
    limit_stiffness : float
        spring of joint limits [N m/rad, N/m]
    limit_damping : float
        damper of joint limits [N m s/rad, N s/m]
    presliding : float
        way of a joint before its dry friction slides [rad, m]
    presliding_time : float
        damping over stiffness of that way [s]
    judge : bool
        fill the report's ncp: residual of the forces as rigid Coulomb contact
    """
    def __init__(self, *, stiffness: float = 100000.0, damping: float = 300.0, stiffness_ratio_t1: float = 1.0, stiffness_ratio_t2: float = 1.0, damping_ratio_t1: float = 1.0, damping_ratio_t2: float = 1.0, surface_anchoring: bool = False, limit_stiffness: float = 1000.0, limit_damping: float = 3.0, presliding: float = 0.001, presliding_time: float = 0.02, judge: bool = False) -> None: ...

class RelaxedLaw(LawOptions):
    """touching points are asked back to referential points: a regularised problem for forces, friction after

    Parameters
    ----------
    model : str
        proposed, macro (a stand-in), micro or hybrid
    compensation : float
        proposed: gain k_c that takes points back [1/s]
    regularisation : float
        proposed, hybrid: weight of the impulses [1/kg^2]
    unilateral : str
        proposed, hybrid: exact, or omit: the published rule
    friction : str
        proposed: after the problem, as published, or inside it
    norm : str
        proposed, friction inside: of the velocity, as published, or its energy
    slip_weight : float
        k_w by which kinetic friction fades at low speed [s/m]
    release_weight : bool
        all but micro: fade friction also when sliding begins
    normal_bias : float
        macro: share of the gap taken back per second [1/s]
    stiffness : float
        micro: spring of a contact point [N/m]
    damping : float
        micro: damper of a contact point [N s/m]
    soft_stiffness : float
        hybrid: added spring of a contact point [N/m]
    soft_damping : float
        hybrid: added damper of a contact point [N s/m]
    limit_stiffness : float
        spring of joint limits [N m/rad, N/m]
    limit_damping : float
        damper of joint limits [N m s/rad, N s/m]
    """
    def __init__(self, *, model: str = 'proposed', compensation: float = 300.0, regularisation: float = 1.0, unilateral: str = 'exact', friction: str = 'after', norm: str = 'velocity', slip_weight: float = 100.0, release_weight: bool = True, normal_bias: float = 0.0, stiffness: float = 20000.0, damping: float = 20.0, soft_stiffness: float = 1000.0, soft_damping: float = 5.0, limit_stiffness: float = 1000.0, limit_damping: float = 3.0) -> None: ...

class CompliantLaw(LawOptions):
    """springs and dampers with a stick and a slip branch of friction, evaluated at the midpoint of the step

    Parameters
    ----------
    stiffness : float
        c_N of a contact whose materials name none [N/m]
    damping : float
        d_N of a contact whose materials name none [N s/m]
    stiffness_ratio : float
        c_T over c_N [-]
    damping_ratio : float
        d_T over d_N [-]
    stick_speed : float
        slower slipping contacts stick again [m/s]
    """
    def __init__(self, *, stiffness: float = 30000.0, damping: float = 50.0, stiffness_ratio: float = 1.0, damping_ratio: float = 1.0, stick_speed: float = 0.0001) -> None: ...

class Auto(SolverOptions):
    """cheapest method first, stronger ones while the judge says no

    Parameters
    ----------
    tolerance : float
        relative tolerance of the judge [-]
    force_tolerance : float
        absolute tolerance on forces [N]
    velocity_tolerance : float
        absolute tolerance on velocities [m/s]
    power_tolerance : float
        absolute tolerance on powers [W]
    max_iterations : int
        iterations allowed [-]
    cold_start : bool
        ignore the warm start [-]
    time_limit : float
        time allowed, 0 is unlimited; not inside simulations [s]
    eliminate_bilateral : bool
        solve for the other blocks on the Schur complement of the bilateral ones [-]
    sweeps : int
        Gauss-Seidel sweeps before stronger methods [-]
    newton_steps : int
        Newton steps of the first strong stage [-]
    restarts : int
        restarts before giving up [-]
    work : float
        coulomb: multiply-adds after which the search ends, 0 is unlimited; in simulations 1e9 [-]
    """
    def __init__(self, *, tolerance: float = 1e-08, force_tolerance: float = 1e-06, velocity_tolerance: float = 1e-09, power_tolerance: float = 1e-09, max_iterations: int = 100000, cold_start: bool = False, time_limit: float = 0.0, eliminate_bilateral: bool = False, sweeps: int = 15, newton_steps: int = 60, restarts: int = 16, work: float = 0.0) -> None: ...

class Nsgs(SolverOptions):
    """nonsmooth Gauss-Seidel with exact one-contact solves and Anderson acceleration

    Parameters
    ----------
    tolerance : float
        relative tolerance of the judge [-]
    force_tolerance : float
        absolute tolerance on forces [N]
    velocity_tolerance : float
        absolute tolerance on velocities [m/s]
    power_tolerance : float
        absolute tolerance on powers [W]
    max_iterations : int
        iterations allowed [-]
    cold_start : bool
        ignore the warm start [-]
    time_limit : float
        time allowed, 0 is unlimited; not inside simulations [s]
    eliminate_bilateral : bool
        solve for the other blocks on the Schur complement of the bilateral ones [-]
    over_relaxation : float
        factor of every step, in ]0, 2[ [-]
    anderson : int
        window of the Anderson acceleration, 0 is off [-]
    restart_budget : int
        Anderson restarts before it is given up [-]
    test_interval : int
        sweeps between two calls of the judge at most [-]
    stall_window : int
        sweeps within which the residual must halve, 0 is for ever [-]
    order : str
        of the blocks: natural, reversed, shuffled (once), reshuffled (before every sweep) or coloured [-]
    seed : int
        of the orders shuffled and reshuffled, >= 0 [-]
    colouring : str
        of the order coloured: first_fit or largest_first (most neighbours first) [-]
    threads : int
        that share the order coloured; the result does not depend on it [-]
    freeze : int
        sweeps that a block rests after a small step, 0 for none [-]
    """
    def __init__(self, *, tolerance: float = 1e-08, force_tolerance: float = 1e-06, velocity_tolerance: float = 1e-09, power_tolerance: float = 1e-09, max_iterations: int = 1000, cold_start: bool = False, time_limit: float = 0.0, eliminate_bilateral: bool = False, over_relaxation: float = 1.0, anderson: int = 5, restart_budget: int = 20, test_interval: int = 20, stall_window: int = 200, order: str = 'natural', seed: int = 0, colouring: str = 'first_fit', threads: int = 1, freeze: int = 0) -> None: ...

class Pgs(SolverOptions):
    """projected Gauss-Seidel

    Parameters
    ----------
    tolerance : float
        relative tolerance of the judge [-]
    force_tolerance : float
        absolute tolerance on forces [N]
    velocity_tolerance : float
        absolute tolerance on velocities [m/s]
    power_tolerance : float
        absolute tolerance on powers [W]
    max_iterations : int
        iterations allowed [-]
    cold_start : bool
        ignore the warm start [-]
    time_limit : float
        time allowed, 0 is unlimited; not inside simulations [s]
    eliminate_bilateral : bool
        solve for the other blocks on the Schur complement of the bilateral ones [-]
    over_relaxation : float
        factor of every step, in ]0, 2[ [-]
    anderson : int
        window of the Anderson acceleration, 0 is off [-]
    restart_budget : int
        Anderson restarts before it is given up [-]
    test_interval : int
        sweeps between two calls of the judge at most [-]
    stall_window : int
        sweeps within which the residual must halve, 0 is for ever [-]
    safe_step : bool
        steps 1/λmax of the block, never too long [-]
    local_exact : bool
        exact one-contact solves, law coulomb only; shuts safe_step out [-]
    """
    def __init__(self, *, tolerance: float = 1e-08, force_tolerance: float = 1e-06, velocity_tolerance: float = 1e-09, power_tolerance: float = 1e-09, max_iterations: int = 1000, cold_start: bool = False, time_limit: float = 0.0, eliminate_bilateral: bool = False, over_relaxation: float = 1.0, anderson: int = 0, restart_budget: int = 20, test_interval: int = 20, stall_window: int = 200, safe_step: bool = False, local_exact: bool = False) -> None: ...

class Jor(SolverOptions):
    """proximal Jacobi with over-relaxation

    Parameters
    ----------
    tolerance : float
        relative tolerance of the judge [-]
    force_tolerance : float
        absolute tolerance on forces [N]
    velocity_tolerance : float
        absolute tolerance on velocities [m/s]
    power_tolerance : float
        absolute tolerance on powers [W]
    max_iterations : int
        iterations allowed [-]
    cold_start : bool
        ignore the warm start [-]
    time_limit : float
        time allowed, 0 is unlimited; not inside simulations [s]
    eliminate_bilateral : bool
        solve for the other blocks on the Schur complement of the bilateral ones [-]
    alpha : float
        step factor α; jor: 0 takes half of the largest that converges in stiction [-]
    stop : str
        what ends the loop: judge, change or energy [-]
    relative_change : float
        stop = change, energy: relative change that ends the loop [-]
    absolute_change : float
        stop = change, energy: change that ends the loop [N s], [J]
    test_interval : int
        stop = judge: iterations between two calls of the judge at most [-]
    stored : bool
        densify G of a body-space problem first [-]
    """
    def __init__(self, *, tolerance: float = 1e-08, force_tolerance: float = 1e-06, velocity_tolerance: float = 1e-09, power_tolerance: float = 1e-09, max_iterations: int = 1000, cold_start: bool = False, time_limit: float = 0.0, eliminate_bilateral: bool = False, alpha: float = 0.0, stop: str = 'judge', relative_change: float = 1e-06, absolute_change: float = 1e-06, test_interval: int = 20, stored: bool = False) -> None: ...

class Sor(SolverOptions):
    """proximal successive over-relaxation

    Parameters
    ----------
    tolerance : float
        relative tolerance of the judge [-]
    force_tolerance : float
        absolute tolerance on forces [N]
    velocity_tolerance : float
        absolute tolerance on velocities [m/s]
    power_tolerance : float
        absolute tolerance on powers [W]
    max_iterations : int
        iterations allowed [-]
    cold_start : bool
        ignore the warm start [-]
    time_limit : float
        time allowed, 0 is unlimited; not inside simulations [s]
    eliminate_bilateral : bool
        solve for the other blocks on the Schur complement of the bilateral ones [-]
    alpha : float
        step factor α; jor: 0 takes half of the largest that converges in stiction [-]
    stop : str
        what ends the loop: judge, change or energy [-]
    relative_change : float
        stop = change, energy: relative change that ends the loop [-]
    absolute_change : float
        stop = change, energy: change that ends the loop [N s], [J]
    test_interval : int
        stop = judge: iterations between two calls of the judge at most [-]
    stored : bool
        densify G of a body-space problem first [-]
    split_velocity : bool
        update the velocity between the projections of one block [-]
    """
    def __init__(self, *, tolerance: float = 1e-08, force_tolerance: float = 1e-06, velocity_tolerance: float = 1e-09, power_tolerance: float = 1e-09, max_iterations: int = 1000, cold_start: bool = False, time_limit: float = 0.0, eliminate_bilateral: bool = False, alpha: float = 1.0, stop: str = 'judge', relative_change: float = 1e-06, absolute_change: float = 1e-06, test_interval: int = 20, stored: bool = False, split_velocity: bool = False) -> None: ...

class Bisection(SolverOptions):
    """RaiSim's per-contact iteration

    Parameters
    ----------
    tolerance : float
        relative tolerance of the judge [-]
    force_tolerance : float
        absolute tolerance on forces [N]
    velocity_tolerance : float
        absolute tolerance on velocities [m/s]
    power_tolerance : float
        absolute tolerance on powers [W]
    max_iterations : int
        iterations allowed [-]
    cold_start : bool
        ignore the warm start [-]
    time_limit : float
        time allowed, 0 is unlimited; not inside simulations [s]
    eliminate_bilateral : bool
        solve for the other blocks on the Schur complement of the bilateral ones [-]
    variant : str
        auto, exact, faithful (law raisim), corrected (coulomb) [-]
    alpha_min : float
        share of a new impulse in the long run, in ]0, 1] [-]
    gamma : float
        share of the last α in the next one, in [0, 1] [-]
    test_interval : int
        sweeps between two calls of the judge at most [-]
    first_angle : float
        faithful: first step of the angle [rad]
    backtrack : float
        faithful: factor of a step that went too far, in ]0, 1[ [-]
    growth : float
        faithful: factor of the next step, >= 1 [-]
    local_tolerance : float
        faithful: precision of one contact [N]
    """
    def __init__(self, *, tolerance: float = 1e-08, force_tolerance: float = 1e-06, velocity_tolerance: float = 1e-09, power_tolerance: float = 1e-09, max_iterations: int = 1000, cold_start: bool = False, time_limit: float = 0.0, eliminate_bilateral: bool = True, variant: str = 'auto', alpha_min: float = 0.1, gamma: float = 0.99, test_interval: int = 20, first_angle: float = 0.01, backtrack: float = 0.5, growth: float = 1.3, local_tolerance: float = 1e-06) -> None: ...

class Admm(SolverOptions):
    """proximal ADMM with a spectral penalty rule

    Parameters
    ----------
    tolerance : float
        relative tolerance of the judge [-]
    force_tolerance : float
        absolute tolerance on forces [N]
    velocity_tolerance : float
        absolute tolerance on velocities [m/s]
    power_tolerance : float
        absolute tolerance on powers [W]
    max_iterations : int
        iterations allowed [-]
    cold_start : bool
        ignore the warm start [-]
    time_limit : float
        time allowed, 0 is unlimited; not inside simulations [s]
    eliminate_bilateral : bool
        solve for the other blocks on the Schur complement of the bilateral ones [-]
    variant : str
        dual (impulses) or primal (velocities, needs R > 0) [-]
    preset : str
        pinocchio (p 0.2, q 0.05, τ 0.5) or contactbench (p 0.4, q 0.1, τ 1) [-]
    tau : float
        share τ of ρ in the step, 0 takes the preset's [-]
    rho : float
        first penalty ρ, 0 takes that of rho_start [1/kg]
    rho_start : str
        first ρ: preset (√(Lm) κ^p, m = μ_p) or spectrum (√(Lm)/τ, m the smallest eigenvalue of G + R that is not zero); dual variant only [-]
    rho_rule : str
        spectral, osqp, linear or constant [-]
    rho_factor : float
        factor of the rule linear, > 1 [-]
    prox : float
        proximal weight μ_p > 0 [1/kg; primal: -]
    over_relaxation : float
        α in ]0, 2[ [-]
    dual_momentum : float
        extrapolation β of z in [0, 1[, dual variant [-]
    anderson : int
        window of Anderson acceleration, 0 is off; dual variant only [-]
    newton : int
        steps of Newton's method on the fixed point tried at a time, 0 is off (the published method); dual variant only [-]
    refactorisations : int
        changes of ρ allowed [-]
    test_interval : int
        iterations between two calls of the judge at most [-]
    stall_window : int
        iterations within which the residual must halve, 0 is for ever [-]
    """
    def __init__(self, *, tolerance: float = 1e-08, force_tolerance: float = 1e-06, velocity_tolerance: float = 1e-09, power_tolerance: float = 1e-09, max_iterations: int = 1000, cold_start: bool = False, time_limit: float = 0.0, eliminate_bilateral: bool = False, variant: str = 'dual', preset: str = 'pinocchio', tau: float = 0.0, rho: float = 0.0, rho_start: str = 'preset', rho_rule: str = 'spectral', rho_factor: float = 2.0, prox: float = 1e-06, over_relaxation: float = 1.0, dual_momentum: float = 0.0, anderson: int = 5, newton: int = 6, refactorisations: int = 60, test_interval: int = 10, stall_window: int = 500) -> None: ...

class Staggered(SolverOptions):
    """staggered projections: normal and tangential convex programs in turn

    Parameters
    ----------
    tolerance : float
        relative tolerance of the judge [-]
    force_tolerance : float
        absolute tolerance on forces [N]
    velocity_tolerance : float
        absolute tolerance on velocities [m/s]
    power_tolerance : float
        absolute tolerance on powers [W]
    max_iterations : int
        iterations allowed [-]
    cold_start : bool
        ignore the warm start [-]
    time_limit : float
        time allowed, 0 is unlimited; not inside simulations [s]
    eliminate_bilateral : bool
        solve for the other blocks on the Schur complement of the bilateral ones [-]
    anderson : int
        passes that the extrapolation looks back, 0 is none [-]
    prox : float
        proximal weight of the stages > 0 [1/kg]
    inner_tolerance : float
        tolerance of the stages as a share of the outer one, at the start [-]
    inner_iterations : int
        iterations allowed in one stage [-]
    stall_window : int
        passes within which the residual must halve, 0 is for ever [-]
    """
    def __init__(self, *, tolerance: float = 1e-08, force_tolerance: float = 1e-06, velocity_tolerance: float = 1e-09, power_tolerance: float = 1e-09, max_iterations: int = 1000, cold_start: bool = False, time_limit: float = 0.0, eliminate_bilateral: bool = False, anderson: int = 5, prox: float = 1e-06, inner_tolerance: float = 0.1, inner_iterations: int = 5000, stall_window: int = 50) -> None: ...

class Lemke(SolverOptions):
    """lexicographic complementary pivoting; also plain linear complementarity problems

    Parameters
    ----------
    tolerance : float
        relative tolerance of the judge [-]
    force_tolerance : float
        absolute tolerance on forces [N]
    velocity_tolerance : float
        absolute tolerance on velocities [m/s]
    power_tolerance : float
        absolute tolerance on powers [W]
    max_iterations : int
        iterations allowed [-]
    cold_start : bool
        ignore the warm start [-]
    time_limit : float
        time allowed, 0 is unlimited; not inside simulations [s]
    eliminate_bilateral : bool
        solve for the other blocks on the Schur complement of the bilateral ones [-]
    equilibrate : bool
        scales contacts to unit masses before pivoting [-]
    """
    def __init__(self, *, tolerance: float = 1e-08, force_tolerance: float = 1e-06, velocity_tolerance: float = 1e-09, power_tolerance: float = 1e-09, max_iterations: int = 10000, cold_start: bool = False, time_limit: float = 0.0, eliminate_bilateral: bool = True, equilibrate: bool = True) -> None: ...

class LcpQp(SolverOptions):
    """the pyramid's linear complementarity problem as a quadratic program

    Parameters
    ----------
    tolerance : float
        relative tolerance of the judge [-]
    force_tolerance : float
        absolute tolerance on forces [N]
    velocity_tolerance : float
        absolute tolerance on velocities [m/s]
    power_tolerance : float
        absolute tolerance on powers [W]
    max_iterations : int
        iterations allowed [-]
    cold_start : bool
        ignore the warm start [-]
    time_limit : float
        time allowed, 0 is unlimited; not inside simulations [s]
    eliminate_bilateral : bool
        solve for the other blocks on the Schur complement of the bilateral ones [-]
    prox : float
        proximal weight beyond the lowest eigenvalue, of ‖H‖∞ [-]
    qp_iterations : int
        multiplier iterations allowed in one program [-]
    stall_window : int
        programs within which the residual must halve, 0 is for ever [-]
    """
    def __init__(self, *, tolerance: float = 1e-08, force_tolerance: float = 1e-06, velocity_tolerance: float = 1e-09, power_tolerance: float = 1e-09, max_iterations: int = 200, cold_start: bool = False, time_limit: float = 0.0, eliminate_bilateral: bool = True, prox: float = 1e-06, qp_iterations: int = 100, stall_window: int = 20) -> None: ...

class Dantzig(SolverOptions):
    """principal pivoting on boxes whose friction bounds are those of the pass before

    Parameters
    ----------
    tolerance : float
        relative tolerance of the judge [-]
    force_tolerance : float
        absolute tolerance on forces [N]
    velocity_tolerance : float
        absolute tolerance on velocities [m/s]
    power_tolerance : float
        absolute tolerance on powers [W]
    max_iterations : int
        iterations allowed [-]
    cold_start : bool
        ignore the warm start [-]
    time_limit : float
        time allowed, 0 is unlimited; not inside simulations [s]
    eliminate_bilateral : bool
        solve for the other blocks on the Schur complement of the bilateral ones [-]
    coupled : bool
        solves for normals and sliding friction together once the sets stay [-]
    """
    def __init__(self, *, tolerance: float = 1e-08, force_tolerance: float = 1e-06, velocity_tolerance: float = 1e-09, power_tolerance: float = 1e-09, max_iterations: int = 1000, cold_start: bool = False, time_limit: float = 0.0, eliminate_bilateral: bool = True, coupled: bool = True) -> None: ...

class Newton(SolverOptions):
    """Newton on the primal of the compliant convex problem; with proximal points also of the rigid one

    Parameters
    ----------
    tolerance : float
        relative tolerance of the judge [-]
    force_tolerance : float
        absolute tolerance on forces [N]
    velocity_tolerance : float
        absolute tolerance on velocities [m/s]
    power_tolerance : float
        absolute tolerance on powers [W]
    max_iterations : int
        iterations allowed [-]
    cold_start : bool
        ignore the warm start [-]
    time_limit : float
        time allowed, 0 is unlimited; not inside simulations [s]
    eliminate_bilateral : bool
        solve for the other blocks on the Schur complement of the bilateral ones [-]
    regularisation : str
        R of rows without compliance: drake, contactbench, mujoco or none [-]
    beta : float
        drake: near-rigid parameter β [-]
    sigma : float
        drake, contactbench: tangential share σ [-]
    d : float
        mujoco: impedance d in ]0, 1[ [-]
    impratio : float
        mujoco: R_N/R_T [-]
    line_search : str
        exact or armijo [-]
    first_step : float
        armijo: first step length in ]0, 2[ [-]
    proximal : bool
        the added R pulls to the last iterate: the problem as given is solved [-]
    """
    def __init__(self, *, tolerance: float = 1e-08, force_tolerance: float = 1e-06, velocity_tolerance: float = 1e-09, power_tolerance: float = 1e-09, max_iterations: int = 300, cold_start: bool = False, time_limit: float = 0.0, eliminate_bilateral: bool = False, regularisation: str = 'drake', beta: float = 1.0, sigma: float = 0.001, d: float = 0.99999, impratio: float = 1.0, line_search: str = 'exact', first_step: float = 1.0, proximal: bool = False) -> None: ...

class PpaNewton(SolverOptions):
    """proximal point with Alart-Curnier Newton, dense or in body space

    Parameters
    ----------
    tolerance : float
        relative tolerance of the judge [-]
    force_tolerance : float
        absolute tolerance on forces [N]
    velocity_tolerance : float
        absolute tolerance on velocities [m/s]
    power_tolerance : float
        absolute tolerance on powers [W]
    max_iterations : int
        iterations allowed [-]
    cold_start : bool
        ignore the warm start [-]
    time_limit : float
        time allowed, 0 is unlimited; not inside simulations [s]
    eliminate_bilateral : bool
        solve for the other blocks on the Schur complement of the bilateral ones [-]
    penalty : float
        contact space: ρ in units of 1/(G_ii + α) [-]
    damping : float
        contact space: first α in units of the mean diagonal [-]
    kappa : float
        body space: first penalty in units of 1/G_ii [-]
    kappa_growth : float
        body space: growth of the penalty per outer step [-]
    warm_sweeps : int
        contact space: sweeps of nsgs before Newton [-]
    """
    def __init__(self, *, tolerance: float = 1e-08, force_tolerance: float = 1e-06, velocity_tolerance: float = 1e-09, power_tolerance: float = 1e-09, max_iterations: int = 1000, cold_start: bool = False, time_limit: float = 0.0, eliminate_bilateral: bool = False, penalty: float = 10.0, damping: float = 0.001, kappa: float = 3.0, kappa_growth: float = 5.0, warm_sweeps: int = 20) -> None: ...

class Apgd(SolverOptions):
    """accelerated projected gradient with restart, De Saxcé's shift refreshed at every step

    Parameters
    ----------
    tolerance : float
        relative tolerance of the judge [-]
    force_tolerance : float
        absolute tolerance on forces [N]
    velocity_tolerance : float
        absolute tolerance on velocities [m/s]
    power_tolerance : float
        absolute tolerance on powers [W]
    max_iterations : int
        iterations allowed [-]
    cold_start : bool
        ignore the warm start [-]
    time_limit : float
        time allowed, 0 is unlimited; not inside simulations [s]
    eliminate_bilateral : bool
        solve for the other blocks on the Schur complement of the bilateral ones [-]
    restart : bool
        drop the momentum when it points uphill, (2) [-]
    convex_iterations : int
        iterations without the shift before it is switched on; law coulomb [-]
    test_interval : int
        iterations between two calls of the judge, after the first 50 [-]
    stall_window : int
        iterations within which the residual must halve, 0 is for ever [-]
    """
    def __init__(self, *, tolerance: float = 1e-08, force_tolerance: float = 1e-06, velocity_tolerance: float = 1e-09, power_tolerance: float = 1e-09, max_iterations: int = 10000, cold_start: bool = False, time_limit: float = 0.0, eliminate_bilateral: bool = False, restart: bool = True, convex_iterations: int = 0, test_interval: int = 20, stall_window: int = 5000) -> None: ...

class AcNewton(SolverOptions):
    """semismooth Newton on the Alart-Curnier or Jean-Moreau map, after sweeps of nsgs

    Parameters
    ----------
    tolerance : float
        relative tolerance of the judge [-]
    force_tolerance : float
        absolute tolerance on forces [N]
    velocity_tolerance : float
        absolute tolerance on velocities [m/s]
    power_tolerance : float
        absolute tolerance on powers [W]
    max_iterations : int
        iterations allowed [-]
    cold_start : bool
        ignore the warm start [-]
    time_limit : float
        time allowed, 0 is unlimited; not inside simulations [s]
    eliminate_bilateral : bool
        solve for the other blocks on the Schur complement of the bilateral ones [-]
    variant : str
        alart_curnier or jean_moreau: the radius [-]
    rho_factor : float
        ρ in units of 1/(G + R)_ii, > 0 [-]
    line_search : bool
        halve steps until the map shrinks [-]
    warm_sweeps : int
        sweeps of nsgs at the start, 0 for none [-]
    """
    def __init__(self, *, tolerance: float = 1e-08, force_tolerance: float = 1e-06, velocity_tolerance: float = 1e-09, power_tolerance: float = 1e-09, max_iterations: int = 200, cold_start: bool = False, time_limit: float = 0.0, eliminate_bilateral: bool = False, variant: str = 'alart_curnier', rho_factor: float = 1.0, line_search: bool = False, warm_sweeps: int = 50) -> None: ...

class InteriorPoint(SolverOptions):
    """interior points with De Saxce's shift inside Newton's method

    Parameters
    ----------
    tolerance : float
        relative tolerance of the judge [-]
    force_tolerance : float
        absolute tolerance on forces [N]
    velocity_tolerance : float
        absolute tolerance on velocities [m/s]
    power_tolerance : float
        absolute tolerance on powers [W]
    max_iterations : int
        iterations allowed [-]
    cold_start : bool
        ignore the warm start [-]
    time_limit : float
        time allowed, 0 is unlimited; not inside simulations [s]
    eliminate_bilateral : bool
        solve for the other blocks on the Schur complement of the bilateral ones [-]
    equilibrate : float
        contacts are scaled alike if their inertias differ by more than this factor [-]
    attempts : int
        starts: standard, far and damped in turn, 1 to 3 [-]
    polish : int
        coulomb: steps of Alart-Curnier Newton after interior points stop, 0 is off [-]
    stall_window : int
        iterations within which the residual must halve, 0 is for ever [-]
    """
    def __init__(self, *, tolerance: float = 1e-08, force_tolerance: float = 1e-06, velocity_tolerance: float = 1e-09, power_tolerance: float = 1e-09, max_iterations: int = 300, cold_start: bool = False, time_limit: float = 0.0, eliminate_bilateral: bool = False, equilibrate: float = 100.0, attempts: int = 3, polish: int = 60, stall_window: int = 15) -> None: ...

class SemiImplicitStepper(StepperOptions):
    """everything evaluated at q; v⁺ = v + M⁻¹(dt(τ − h) + Jᵀλ), then q⁺ = q ⊕ dt v⁺
    """
    def __init__(self, ) -> None: ...

class StewartTrinkleStepper(StepperOptions):
    """impulses and positions obey the law together: 0 ≤ g(q̄) + n·(q⁺ − q̄) ⟂ λ_N ≥ 0, q̄ = q ⊕ dt v

    Parameters
    ----------
    version : str
        linear, nonlinear or anitescu_potra [-]
    restitution : str
        impact rule: newton, poisson (law pyramid) or none [-]
    polygon : str
        law pyramid: inscribed in the friction disc, or circumscribed [-]
    directions : str
        law pyramid: friction directions 'T1 T2 torsion; ... | NAME: ...' instead of the polygon [-, -, m]
    resolve : bool
        solve again with the contacts that the end of the step overlaps
    growth_tolerance : float
        overlap at the end that makes a contact active [m]
    fixed_point_iterations : int
        nonlinear: iterations allowed [-]
    fixed_point_tolerance : float
        nonlinear: last change of q⁺ [m, rad]
    stop : str
        nonlinear: at the fixed point (change), or where pressed contacts close (gap) [-]
    gap_tolerance : float
        stop 'gap': largest |gap| of a pressed contact [m]
    """
    def __init__(self, *, version: str = 'linear', restitution: str = 'newton', polygon: str = 'inscribed', directions: str = '', resolve: bool = True, growth_tolerance: float = 1e-08, fixed_point_iterations: int = 50, fixed_point_tolerance: float = 1e-12, stop: str = 'change', gap_tolerance: float = 1e-06) -> None: ...

class MoreauStepper(StepperOptions):
    """contacts closed at the midpoint q_M = q ⊕ dt/2 v; M, forces, J there; law on v⁺ + ε v; q⁺ = q_M ⊕ dt/2 v⁺

    Parameters
    ----------
    stabilise : bool
        correct overlap and drift of loops with the law's baumgarte
    project : bool
        put positions back onto loops and cut joints at the end of the step
    energy_balance : bool
        energy changes by the work of motors and loads and by what contacts take, and by nothing else
    rounds : int
        evaluations of velocity forces: 1 at the start, more at the mean velocity [-]
    """
    def __init__(self, *, stabilise: bool = False, project: bool = False, energy_balance: bool = False, rounds: int = 1) -> None: ...

class ExponentialStepper(StepperOptions):
    """soft contacts integrated by the exponential of their linear dynamics, the rest frozen over the step

    Parameters
    ----------
    approximant : str
        of the exponential: 1/1 2/2 3/3 1/2 2/3, exact, auto, dense [-]
    tolerance : float
        auto: largest error of a velocity before the exact one is used [m/s, rad/s]
    position : str
        force that moves the positions: double or single average [-]
    slip_continues : bool
        slipping points are not damped within the step
    diagonal : bool
        contacts do not feel each other within the step
    products : int
        dense: cap of matrix products, -1 for none [-]
    balance : bool
        dense: balance the matrix before its order is chosen
    switch_refinement : bool
        halve steps in which contacts open or close
    smallest_step : float
        of refinement and error control [s]
    substeps : int
        equal parts that a step is made in, a power of two [-]
    refresh : int
        parts that share one contact-space inertia, unless contacts change [-]
    """
    def __init__(self, *, approximant: str = '1/2', tolerance: float = 0.001, position: str = 'double', slip_continues: bool = False, diagonal: bool = False, products: int = -1, balance: bool = True, switch_refinement: bool = True, smallest_step: float = 3.125e-05, substeps: int = 1, refresh: int = 1) -> None: ...

class ExponentialMidpointStepper(StepperOptions):
    """the exponential step with everything taken at the midpoint; an error estimate comes with it

    Parameters
    ----------
    approximant : str
        of the exponential: 1/1 2/2 3/3 1/2 2/3, exact, auto, dense [-]
    tolerance : float
        auto: largest error of a velocity before the exact one is used [m/s, rad/s]
    position : str
        force that moves the positions: double or single average [-]
    slip_continues : bool
        slipping points are not damped within the step
    diagonal : bool
        contacts do not feel each other within the step
    products : int
        dense: cap of matrix products, -1 for none [-]
    balance : bool
        dense: balance the matrix before its order is chosen
    switch_refinement : bool
        halve steps in which contacts open or close
    smallest_step : float
        of refinement and error control [s]
    substeps : int
        equal parts that a step is made in, a power of two [-]
    refresh : int
        parts that share one contact-space inertia, unless contacts change [-]
    error_tolerance : float
        largest error estimate of a part, 0 for fixed steps [m/s, rad/s]
    estimate : bool
        report the error estimate of fixed steps
    """
    def __init__(self, *, approximant: str = '1/2', tolerance: float = 0.001, position: str = 'double', slip_continues: bool = False, diagonal: bool = False, products: int = -1, balance: bool = True, switch_refinement: bool = True, smallest_step: float = 3.125e-05, substeps: int = 1, refresh: int = 1, error_tolerance: float = 0.0, estimate: bool = False) -> None: ...

class EulerStepper(StepperOptions):
    """explicit Euler on soft contacts in three forms

    Parameters
    ----------
    form : str
        velocity that moves the positions: explicit, semi_implicit or classic [-]
    """
    def __init__(self, *, form: str = 'explicit') -> None: ...

class Rk4Stepper(StepperOptions):
    """the classic Runge-Kutta method on soft contacts

    Parameters
    ----------
    turns : str
        how stages of free turns are put together: mean (order 2) or lie (order 4) [-]
    """
    def __init__(self, *, turns: str = 'mean') -> None: ...

class ImplicitEulerStepper(StepperOptions):
    """implicit Euler on soft contacts by Newton's method with analytic derivatives

    Parameters
    ----------
    tolerance : float
        largest ‖w − v − h a‖ of a converged step [m/s, rad/s]
    max_iterations : int
        Newton iterations allowed [-]
    max_halvings : int
        of a Newton step before it counts as failed [-]
    regularisation : float
        smallest ρ added to the Newton matrix [-]
    guess : str
        where Newton begins: at the end of the exponential or the euler step, or with the current velocity [-]
    restart : bool
        begin again from the other guesses where Newton fails
    """
    def __init__(self, *, tolerance: float = 1e-08, max_iterations: int = 30, max_halvings: int = 20, regularisation: float = 1e-10, guess: str = 'exponential', restart: bool = True) -> None: ...

class RigidEulerStepper(StepperOptions):
    """active points held at their anchors by equalities; Euler, midpoint or Runge-Kutta

    Parameters
    ----------
    scheme : int
        1 Euler, 2 midpoint, 4 Runge-Kutta [-]
    """
    def __init__(self, *, scheme: int = 1) -> None: ...

class RkGillStepper(StepperOptions):
    """Runge-Kutta-Gill with the forces of relaxed contact, held over the step or renewed at every stage

    Parameters
    ----------
    forces : str
        contact forces: held over the step, or per_stage
    """
    def __init__(self, *, forces: str = 'held') -> None: ...
