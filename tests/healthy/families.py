"""All kinds of healthy logs, by name."""

from tests.healthy import clusters, machines, plain, pretraining, restarts, services, trainers, vision

FAMILIES = {
    family.name: family
    for module in (plain, trainers, pretraining, vision, services, clusters, machines, restarts)
    for family in module.FAMILIES
}
