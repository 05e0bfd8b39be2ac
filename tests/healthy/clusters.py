"""MPI, Horovod, benchmarks of NCCL and its debug output, TensorFlow, JAX."""

from tests.healthy import noise
from tests.healthy.log import Family, Log


def horovod(log: Log) -> None:
    """mpirun --tag-output: every line under a tag."""
    tags = [f"[1,{rank}]<{stream}>:" for rank in range(4) for stream in ("stdout", "stderr")]
    log.say(
        '--------------------------------------------------------------------------\nWARNING: Open MPI accepted a TCP connection from what appears to be a\nanother Open MPI process but cannot find a corresponding process\nentry for that peer.\n\nThis attempted connection will be ignored; your MPI job may or may not\ncontinue properly.\n--------------------------------------------------------------------------\n[node-7:02204] 3 more processes have sent help message help-mpi-btl-openib.txt / no device params found\n[node-7:02204] Set MCA parameter "orte_base_help_aggregate" to 0 to see all help / error messages'
    )
    for tag in tags[1::2]:
        noise.start(log, most=4, label=tag)
    while log.has_room():
        loss = log.loss
        for rank in range(4):
            log.say(
                f"Train Epoch: 1 [{log.step * 32}/6000000 (1%)]\tLoss: {loss + log.chance.gauss(0, 0.005):.6f}",
                label=tags[2 * rank],
            )
        if log.step % 200 == 0:
            log.say(
                "[{day} {clock}.{us}: W /tmp/horovod/common/stall_inspector.cc:107] One or more tensors were submitted to be reduced, gathered or broadcasted by subset of ranks and are waiting for remainder of ranks for more than 60 seconds. This may indicate that different ranks are trying to submit different tensors or that only subset of ranks is submitting tensors, which will cause deadlock. \nMissing ranks:\n0: [metric.avg_loss]",
                label=tags[1],
            )
            log.go_on(65)
        noise.on_the_way(log, 0.01, label=tags[log.chance.randrange(4) * 2 + 1])
    for rank in range(4):
        log.say("finished", label=tags[2 * rank])
    noise.end(log, label=tags[3])


def nccl_tests(log: Log) -> None:
    log.say(
        "# nThread 1 nGpus 1 minBytes 8 maxBytes 8589934592 step: 2(factor) warmup iters: 5 iters: 20 agg iters: 1 validation: 1 graph: 0\n#\n# Using devices"
    )
    for rank in range(16):
        log.say(
            f"#  Rank {rank:2} Group  0 Pid {2200 + rank} on     node-{7 + rank // 8} device  {rank % 8} [0x19] NVIDIA H100 80GB HBM3"
        )
    log.say(
        "node-7:2200:2200 [0] NCCL INFO NET/Plugin: Could not find: libnccl-net.so. Using internal network plugin.\nNCCL version 2.21.5+cuda12.4\n#\n#                                                              out-of-place                       in-place          \n#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong\n#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)       "
    )
    while log.has_room():
        size = 8 << log.step % 31
        took = log.chance.uniform(29, 31) + size / 40000
        rate = size / took
        log.say(
            f"{size:12}  {size // 4:12}     float     sum      -1  {took:7.2f}  {rate / 1000:6.2f}  {rate / 1000 * 1.875:6.2f}      0  {took:7.2f}  {rate / 1000:6.2f}  {rate / 1000 * 1.875:6.2f}      0"
        )
    log.say("# Out of bounds values : 0 OK\n# Avg bus bandwidth    : 124.71 \n#\n")


def nccl_debug(log: Log) -> None:
    """NCCL_DEBUG=INFO, all subsystems: every call, every channel, in two hosts' files."""
    at = {rank: f"node-{7 + rank // 4}:{2200 + rank}:{2300 + rank} [{rank % 4}] NCCL INFO " for rank in range(8)}
    comm = log.chance.getrandbits(40)
    lines = (
        "Bootstrap : Using eth0:10.20.0.7<0>",
        "NET/Plugin: Could not find: libnccl-net.so. Using internal network plugin.",
        "cudaDriverVersion 12040",
        "Failed to open libibverbs.so[.1]",
        "NET/Socket : Using [0]eth0:10.20.0.7<0>",
        "Using network Socket",
        "NCCL_IB_DISABLE set by environment to 0.",
        "Channel 00/02 : 0 1 2 3 4 5 6 7",
        "Trees [0] 1/-1/-1->0->4 [1] 1/4/-1->0->-1",
        "P2P Chunksize set to 131072",
        "Connected all rings",
        "Connected all trees",
        "threadThresholds 8/8/64 | 64/8/64 | 512 | 512",
        "2 coll channels, 0 collnet channels, 0 nvls channels, 2 p2p channels, 2 p2p channels per peer",
    )
    for text in lines:
        for head in at.values():
            log.say(head + text, "nccl.log")
    for rank, head in at.items():
        log.say(
            f"{head}ncclCommInitRank comm 0x55d1c0a{rank:03x}c0 rank {rank} nranks 8 cudaDev {rank % 4} nvmlDev {rank % 4} busId 19000 commId 0x{comm:x} - Init COMPLETE",
            "nccl.log",
        )
    log.say(
        at[3]
        + "Call to connect returned Connection timed out, retrying (1/34) after sleep for 100 msec\n"
        + at[3]
        + "Call to connect returned Connection refused, retrying (2/34) after sleep for 200 msec",
        "nccl.log",
    )
    while log.has_room():
        for rank, head in at.items():
            log.say(
                f"{head}AllReduce: opCount {log.step:x} sendbuff 0x7f1c2e000000 recvbuff 0x7f1c2e000000 count 4194304 datatype 7 op 0 root 0 comm 0x55d1c0a{rank:03x}c0 [nranks=8] stream 0x55d1c0b{rank:03x}00",
                "nccl.log",
            )
        log.say(f"step {log.step} loss {log.loss:.4f}")
    log.say("done")
    for head in at.values():
        log.say(
            f"{head}[Service thread] Connection closed by localRank {log.chance.randrange(4)}\n{head}comm 0x55d1c0a000c0 rank 0 nranks 8 cudaDev 0 busId 19000 - Abort COMPLETE\n{head}misc/socket.cc:752 -> 2\n{head}[Proxy Service] Accepted connection failed"
            if log.chance.random() < 0.3
            else f"{head}[Service thread] Connection closed by localRank 0",
            "nccl.log",
        )


def tensorflow(log: Log) -> None:
    for _ in range(3):
        noise.start(log, most=6)
    log.say(
        "{day} {clock}.{us}: I tensorflow/core/common_runtime/gpu/gpu_device.cc:1928] Created device /job:localhost/replica:0/task:0/device:GPU:0 with 78221 MB memory:  -> device: 0, name: NVIDIA H100 80GB HBM3, pci bus id: 0000:19:00.0, compute capability: 9.0\nINFO:tensorflow:Using MirroredStrategy with devices ('/job:localhost/replica:0/task:0/device:GPU:0',)\n{day} {clock}.{us}: W tensorflow/core/framework/local_rendezvous.cc:404] Local rendezvous is aborting with status: OUT_OF_RANGE: End of sequence\n\t [[{{node IteratorGetNext}}]]\n{day} {clock}.{us}: W external/local_tsl/tsl/framework/bfc_allocator.cc:296] Allocator (GPU_0_bfc) ran out of memory trying to allocate 2.07GiB with freed_by_count=0. The caller indicates that this is not a failure, but this may mean that there could be performance gains if more memory were available."
    )
    while log.has_room():
        log.say(
            f"{log.step}/100000 [..............................] - ETA: 3:11:02 - loss: {log.loss:.4f} - mean_absolute_error: 0.0411 - error_rate: 0.2011"
        )
        noise.on_the_way(log, 0.01)
    log.say(
        "{day} {clock}.{us}: I tensorflow/core/framework/local_rendezvous.cc:405] Local rendezvous is aborting with status: OUT_OF_RANGE: End of sequence\nTraining finished."
    )
    noise.end(log)


def maxtext(log: Log) -> None:
    noise.start(log)
    log.say(
        "I{glog} 2204 distributed.py:106] Starting JAX distributed service on [::]:1234\nI{glog} 2204 distributed.py:119] Connecting to JAX distributed service on node-7:1234\nWARNING:jax._src.xla_bridge:An NVIDIA GPU may be present on this machine, but a CUDA-enabled jaxlib is not installed. Falling back to cpu.\nConfig param abort_on_nan_loss: True\nConfig param checkpoint_storage_concurrent_gb: 96\nConfig param enable_checkpointing: True\nConfig param jax_distributed_initialization_timeout: 300\nNo existing checkpoints found, not restoring checkpoint.\nW0304 10:00:01.000000    2204 hlo_rematerialization.cc:3005] Can't reduce memory use below 61.2GiB (65712345678 bytes) by rematerialization; only reduced to 64.1GiB (68811223344 bytes), down from 70.2GiB (75411223344 bytes) originally"
    )
    while log.has_room():
        log.say(
            f"completed step: {log.step}, seconds: {log.seconds:.3f}, TFLOP/s/device: {180 * 1.5 / log.seconds:.3f}, Tokens/s/device: {8192 / log.seconds:.3f}, total_weights: 65536, loss: {log.loss:.3f}"
        )
        noise.on_the_way(log, 0.01)
    log.say(
        "I{glog} 2204 checkpointing.py:301] saved checkpoint\nI{glog} 2204 coordination_service_agent.cc:660] Coordination agent has successfully shut down."
    )
    noise.end(log)


FAMILIES = (
    Family("horovod", horovod),
    Family("nccl-tests", nccl_tests),
    Family("nccl-debug", nccl_debug),
    Family("tensorflow", tensorflow),
    Family("maxtext", maxtext),
)
