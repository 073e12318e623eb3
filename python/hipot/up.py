"""`import hipot.up` makes `OneshotPlanner(name="hipot")` work.

Unified Planning looks for engines in a list of its own and in `up.ini`; it has no
entry points for others. So one of two things is needed: this import, or an `up.ini`

    [engine hipot]
    module_name: hipot.up_engine
    class_name: HipotEngine
"""

from unified_planning.environment import Environment, get_environment

from .up_engine import HipotEngine

__all__ = ["HipotEngine", "register"]


def register(environment: Environment | None = None) -> None:
    """Make the engine known to an environment, the global one if none is given."""
    factory = get_environment(environment).factory
    if "hipot" not in factory.engines:
        factory.add_engine("hipot", "hipot.up_engine", "HipotEngine")


register()
