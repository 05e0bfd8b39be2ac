"""Serving and rollouts: vLLM, Ray, RLHF."""

from tests.healthy import noise, quoted
from tests.healthy.log import Family, Log


def vllm(log: Log) -> None:
    log.say(
        "INFO {month_day} {clock} [__init__.py:239] Automatically detected platform cuda.\nWARNING {month_day} {clock} [config.py:689] Async output processing is not supported on the current platform type.\nINFO {month_day} {clock} [custom_all_reduce.py:203] Registering 10 cuda graph addresses\nWARNING {month_day} {clock} [custom_all_reduce.py:146] Custom allreduce is disabled because it's not supported on more than two PCIe-only GPUs. To silence this warning, specify disable_custom_all_reduce=True explicitly.\nINFO {month_day} {clock} [pynccl.py:70] vLLM is using nccl==2.21.5".replace(
            "{month_day}", "03-04"
        )
    )
    noise.start(log)
    while log.has_room():
        log.say(
            f"INFO 03-04 {{clock}} [metrics.py:489] Avg prompt throughput: {log.chance.uniform(800, 900):.1f} tokens/s, Avg generation throughput: {log.chance.uniform(1500, 1600):.1f} tokens/s, Running: 96 reqs, Swapped: 0 reqs, Pending: 0 reqs, GPU KV cache usage: {log.chance.uniform(50, 60):.1f}%, CPU KV cache usage: 0.0%."
        )
        if log.step % 50 == 0:
            log.say(
                'WARNING 03-04 {clock} [scheduler.py:1754] Sequence group 41 is preempted by PreemptionMode.RECOMPUTE mode because there is not enough KV cache space. This can affect the end-to-end performance. Increase gpu_memory_utilization or tensor_parallel_size to provide more KV cache memory. total_num_cumulative_preemption=1\nINFO 03-04 {clock} [async_llm_engine.py:223] Aborted request cmpl-6a61d7e1f0c04d2fa7b5.\nINFO:     10.20.0.9:51822 - "POST /v1/completions HTTP/1.1" 500 Internal Server Error\nINFO:     10.20.0.9:51823 - "POST /v1/completions HTTP/1.1" 200 OK'
            )
        quoted.sample(log, 0.05)
    log.say(
        "INFO 03-04 {clock} [launcher.py:80] Shutting down FastAPI HTTP server.\nINFO:     Shutting down\nINFO:     Waiting for application shutdown.\nINFO:     Application shutdown complete.\nINFO:     Finished server process [2204]\n[rank0]:[W{glog} CudaIPCTypes.cpp:16] Producer process has been terminated before all shared CUDA tensors released. See Note [Sharing CUDA tensors]"
    )


def ray(log: Log) -> None:
    """RLHF on Ray: coloured actors, lines said for seven others, generations that quote tracebacks."""
    log.say(
        "{day} {clock},{ms}\tINFO worker.py:1832 -- Started a local Ray instance. View the dashboard at \x1b[1m\x1b[32m127.0.0.1:8265 \x1b[39m\x1b[22m\n[{day} {clock},{ms} E 2204 2290] logging.cc:108: Failed to connect to the metrics agent, retrying\n(raylet) WARNING: 8 PYTHON worker processes have been started on node: 1f0c with address: 10.20.0.7. This could be a result of using a large number of actors, or due to tasks blocked in ray.get() calls (see https://github.com/ray-project/ray/issues/3644 for some discussion of workarounds)."
    )
    actor = "\x1b[36m(WorkerDict pid=2311)\x1b[0m "
    other = "\x1b[36m(WorkerDict pid=2312, ip=10.20.0.8)\x1b[0m "
    noise.start(log, label=actor)
    log.say(
        "Flash Attention 2.0 only supports torch.float16 and torch.bfloat16 dtypes, but the current dype in Qwen2ForCausalLM is torch.float32. You should run training or inference using Automatic Mixed-Precision via the `with torch.autocast(device_type='torch_device'):` decorator.\x1b[32m [repeated 7x across cluster] (Ray deduplicates logs by default. Set RAY_DEDUP_LOGS=0 to disable log deduplication, or see https://docs.ray.io/en/master/ray-observability/user-guides/configure-logging.html#log-deduplication for more options.)\x1b[0m",
        label=other,
    )
    driver = "\x1b[36m(TaskRunner pid=2290)\x1b[0m "
    while log.has_room():
        log.say(
            f"step:{log.step} - global_seqlen/mean:{log.chance.uniform(60000, 61000):.3f} - actor/pg_loss:{log.chance.gauss(0, 0.01):.3f} - actor/kl_loss:{abs(log.chance.gauss(0.01, 0.001)):.4f} - actor/grad_norm:{log.norm:.3f} - critic/score/mean:{0.3 + min(0.4, log.step / 2000):.3f} - timing_s/step:{log.seconds * 20:.3f} - response/aborted_ratio:0.000",
            label=driver,
        )
        log.go_on(28)
        quoted.sample(log, 0.3, label=driver)
        noise.on_the_way(log, 0.03, label=other)
        if log.step % 40 == 0:
            log.say(
                "reward: sandbox said 'TimeoutError: execution of the generated code took longer than 10 s', score 0\x1b[32m [repeated 31x across cluster]\x1b[0m",
                label=driver,
            )
    log.say(
        "Training Progress: 100%|██████████| 435/435 [4:11:02<00:00, 34.6s/it]\nFinal validation metrics: {'val/acc': 0.71}",
        label=driver,
    )
    log.say(
        "(raylet) [{day} {clock},{ms} E 2204 2204] (raylet) node_manager.cc:3065: 0 Workers (tasks / actors) killed due to memory pressure (OOM), 0 Workers crashed due to other reasons at node (ID: 1f0c, IP: 10.20.0.7) over the last time period."
    )


def swift(log: Log) -> None:
    """Rollouts and training by turns, each generation printed."""
    noise.start(log)
    while log.has_room():
        log.say(
            f"{{'loss': {abs(log.chance.gauss(0.02, 0.002)):.5f}, 'grad_norm': {log.norm:.4f}, 'reward': {0.2 + min(0.5, log.step / 3000):.3f}, 'reward_std': 0.31, 'kl': 0.0011, 'clip_ratio': 0.0, 'memory(GiB)': 61.2, 'train_speed(iter/s)': 0.03, 'epoch': {log.step / 8000:.4f}, 'global_step/max_steps': '{log.step}/8000', 'percentage': '{log.step / 80:.2f}%'}}"
        )
        quoted.sample(log, 0.5)
    log.say("[INFO:swift] End time of running main: {day} {clock}.{us}")
    noise.end(log)


FAMILIES = (Family("vllm", vllm), Family("ray", ray), Family("swift", swift))
