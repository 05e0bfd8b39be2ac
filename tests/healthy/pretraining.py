"""Frameworks that train large models: DeepSpeed, Megatron-LM, NeMo, torchtitan, nanotron, OLMo."""

from tests.healthy import noise, quoted
from tests.healthy.log import Family, Log


def deepspeed(log: Log) -> None:
    """Two hosts under pdsh, which puts the host's name before every line, and a search for the loss scale."""
    hosts = ("worker-1: ", "worker-2: ")
    log.say(
        "[{day} {clock},{ms}] [INFO] [multinode_runner.py:80:get_cmd] Running on the following workers: worker-1,worker-2\n[{day} {clock},{ms}] [INFO] [runner.py:568:main] cmd = pdsh -S -f 1024 -w worker-1,worker-2 export NCCL_VERSION=2.18.3; export NCCL_IB_TIMEOUT=23;  cd /srv/run; /usr/bin/python3.10 -u -m deepspeed.launcher.launch train.py"
    )
    for host in hosts:
        noise.start(log, most=5, label=host)
        log.say(
            "[{day} {clock},{ms}] [INFO] [launch.py:146:main] WORLD INFO DICT: {'worker-1': [0, 1], 'worker-2': [0, 1]}\n[{day} {clock},{ms}] [INFO] [comm.py:637:init_distributed] cdb=None\n[{day} {clock},{ms}] [INFO] [comm.py:668:init_distributed] Initializing TorchBackend in DeepSpeed with backend nccl",
            label=host,
        )
    quoted.config(log, label=hosts[0])
    scale = 2**32
    while log.has_room():
        if log.step < 16 or log.step % 1000 == 0:
            scale //= 2
            for host in hosts:
                for _ in range(2):
                    log.say(
                        f"[{{day}} {{clock}},{{ms}}] [INFO] [loss_scaler.py:190:update_scale] [deepspeed] OVERFLOW! Rank 0 Skipping step. Attempted loss scale: {scale * 2}, reducing to {scale}",
                        label=host,
                    )
            continue
        if log.step % 998 == 0:
            scale *= 2
        log.say(
            f"[{{day}} {{clock}},{{ms}}] [INFO] [logging.py:96:log_dist] [Rank 0] step={log.step}, skipped=16, lr=[9.6e-05], mom=[[0.9, 0.95]]\n[{{day}} {{clock}},{{ms}}] [INFO] [timer.py:260:stop] epoch=0/micro_step={log.step}/global_step={log.step}, RunningAvgSamplesPerSec={32 / 1.5:.3f}, CurrSamplesPerSec={32 / log.seconds:.3f}, MemAllocated=4.41GB, MaxMemAllocated=21.1GB\nsteps: {log.step} loss: {log.loss:.4f} iter time (s): {log.seconds:.3f} samples/sec: {32 / log.seconds:.3f}",
            label=hosts[0],
        )
        noise.on_the_way(log, 0.01, label=log.chance.choice(hosts))
    for host in hosts:
        noise.end(log, label=host)
        for pid in (2204, 2205):
            log.say(
                f"[{{day}} {{clock}},{{ms}}] [INFO] [launch.py:348:main] Process {pid} exits successfully.", label=host
            )


def megatron(log: Log) -> None:
    """srun -l: the last rank speaks, all others warn."""
    log.say("srun: job 81234 queued and waiting for resources\nsrun: job 81234 has been allocated resources")
    quoted.config(log, label=" 0: ")
    for rank in range(0, 16, 5):
        noise.start(log, most=4, label=f"{rank:2}: ")
    log.say(
        "using world size: 16, data-parallel size: 4, context-parallel size: 1, tensor-model-parallel size: 2, pipeline-model-parallel size: 2\nWARNING: could not find the metadata file /ckpt/latest_checkpointed_iteration.txt\n    will not load any checkpoints and will start from random\n(min, max) time across ranks (ms):\n    load-checkpoint ................................: (1.21, 1.22)",
        label=" 0: ",
    )
    scale = 2.0**32
    skipped = 0
    while log.has_room():
        is_skipped = log.step <= 17
        skipped += is_skipped
        scale = max(scale / 2, 32768.0) if is_skipped else scale
        shown = "" if is_skipped else f"lm loss: {log.loss:.6E} | "
        norm = "" if is_skipped else f"grad norm: {log.norm:.3f} | "
        log.say(
            f" [{{day}} {{clock}}.{{us}}] iteration {log.step:8}/  500000 | consumed samples: {log.step * 512:12} | elapsed time per iteration (ms): {log.seconds * 1000:.1f} | throughput per GPU (TFLOP/s/GPU): {420 * 1.5 / log.seconds:.1f} | learning rate: 3.000000E-04 | global batch size:   512 | {shown}loss scale: {scale:.1f} | {norm}number of skipped iterations: {int(is_skipped):3} | number of nan iterations:   0 |",
            label="15: ",
        )
        if log.step % 500 == 0:
            log.go_on(200)
            log.say(
                f"-----------------------------------------------------------------------------------------\n validation loss at iteration {log.step} | lm loss value: {log.loss:.6E} | lm loss PPL: {2.7**log.loss:.6E} | \n-----------------------------------------------------------------------------------------",
                label="15: ",
            )
            log.say(
                f"saving checkpoint at iteration {log.step:7} to /ckpt in torch_dist format\n  successfully saved checkpoint from iteration {log.step:7} to /ckpt [ t 1/2, p 1/2 ]",
                label=" 0: ",
            )
        noise.on_the_way(log, 0.01, label=f"{log.chance.randrange(16):2}: ")
    log.say("[after training is done] datetime: {day} {clock} ", label=" 0: ")
    for rank in (0, 5, 15):
        noise.end(log, label=f"{rank:2}: ")


def nemo(log: Log) -> None:
    log.say(
        "[NeMo W {day} {clock} nemo_logging:349] /opt/venv/lib/python3.10/site-packages/hydra/_internal/hydra.py:119: UserWarning: Future Hydra versions will no longer change working directory at job runtime by default.\n      See https://hydra.cc/docs/1.2/upgrades/1.1_to_1.2/changes_to_job_working_dir/ for more information.\n      ret = run_job(\n    "
    )
    noise.start(log)
    quoted.config(log)
    log.say(
        "[NeMo W {day} {clock} exp_manager:708] Exp_manager is logging to /results, but it already exists.\n[NeMo W {day} {clock} exp_manager:630] There were no checkpoints found in checkpoint_dir or no checkpoint folder at checkpoint_dir :/results/checkpoints. Training from scratch.\n[NeMo I {day} {clock} megatron_init:274] All data parallel group ranks with context parallel combined: [[0, 1, 2, 3, 4, 5, 6, 7]]"
    )
    while log.has_room():
        log.say(
            f"Epoch 0: : {log.step // 1000}%|          | {log.step}/100000 [{log.step // 40:02}:{log.step % 60:02}<41:00:00, v_num=, reduced_train_loss={log.loss:.3f}, global_step={log.step}.0, consumed_samples={log.step * 256}.0, train_step_timing in s={log.seconds:.3f}, val_loss=nan]"
        )
        if log.step % 300 == 0:
            log.say(
                f"[NeMo I {{day}} {{clock}} nemo_model_checkpoint:228] /results/checkpoints/step={log.step}.nemo already exists, moving existing checkpoint to step={log.step}-v1.nemo\n[NeMo W {{day}} {{clock}} nemo_logging:361] The `best_model_score` is nan, ModelCheckpoint(monitor='val_loss') could not find the monitored key in the returned metrics."
            )
        noise.on_the_way(log, 0.01)
    log.say("`Trainer.fit` stopped: `max_steps=100000` reached.")
    noise.end(log)


def torchtitan(log: Log) -> None:
    for rank in range(8):
        log.say("{day} {clock},{ms} - root - INFO - Starting job: Llama 3 8B training", label=f"[rank{rank}]:[titan] ")
    noise.start(log)
    log.say(
        "[titan] {day} {clock},{ms} - root - WARNING - ENV[TORCH_NCCL_ASYNC_ERROR_HANDLING] = 1 will be overridden to 3 based on job config\n[titan] {day} {clock},{ms} - root - WARNING - Peak flops undefined for: NVIDIA H200, fallback to A100\n[titan] {day} {clock},{ms} - root - INFO - CUDA capacity: NVIDIA H100 with 79.11GiB memory"
    )
    while log.has_room():
        loss, norm = log.loss, log.norm
        for rank in range(8):
            log.say(
                f"{{day}} {{clock}},{{ms}} - root - INFO - step: {log.step:2}  loss: {loss:7.4f}  grad_norm: {norm:7.4f}  memory: 47.10GiB(59.54%)  tps: {int(8192 / log.seconds):,}  tflops: {388 * 1.5 / log.seconds:.2f}  mfu: 39.24%",
                label=f"[rank{rank}]:[titan] ",
            )
        noise.on_the_way(log, 0.02)
    for rank in range(8):
        log.say(
            "{day} {clock},{ms} - root - INFO - Training completed\n{day} {clock},{ms} - root - INFO - Process group destroyed",
            label=f"[rank{rank}]:[titan] ",
        )
    noise.end(log)


def nanotron(log: Log) -> None:
    noise.start(log)
    log.say(
        "{month}/2026 {clock} [INFO|DP=0|PP=0|TP=0|node-7]: Config:\n{month}/2026 {clock} [INFO|DP=0|PP=0|TP=0|node-7]: Config(general=GeneralArgs(ignore_sanity_checks=True), checkpoints=CheckpointsArgs(resume_checkpoint_path=None), parallelism=ParallelismArgs(recompute_layer=False), optimizer=OptimizerArgs(clip_grad=1.0, accumulate_grad_in_fp32=True))\n{month}/2026 {clock} [WARNING|DP=0|PP=0|TP=0|node-7]: No checkpoint path provided."
    )
    while log.has_room():
        log.say(
            f"{{month}}/2026 {{clock}} [INFO|DP=0|PP=0|TP=0|node-7]: iteration: {log.step} / 100000 | consumed_tokens: {log.step * 2}M | elapsed_time_per_iteration_ms: {log.seconds * 1000:.3g} | tokens_per_sec: 1.4M | tokens_per_sec_per_gpu: 21.9K | global_batch_size: 1.02K | lm_loss: {log.loss:.3g} | lr: 0.0003 | model_tflops_per_gpu: 211 | hardware_tflops_per_gpu: 211 | grad_norm: {log.norm:.3g} | cuda_memory_allocated: 12.2G | cuda_max_memory_reserved: 31.8G"
        )
        noise.on_the_way(log)
    log.say("{month}/2026 {clock} [INFO|DP=0|PP=0|TP=0|node-7]: Training finished")
    noise.end(log)


def olmo(log: Log) -> None:
    noise.start(log)
    log.say(
        "[{day} {clock}] INFO     [olmo.util:157, rank=0] Initializing process group\n[{day} {clock}] WARNING  [olmo.train:112, rank=0] softmax_auxiliary_loss is off\n[{day} {clock}] INFO     [train:63, rank=0] error_if_nonfinite=False, hard_stop: null, on_nan: continue"
    )
    while log.has_room():
        log.say(
            f"[{{day}} {{clock}}] INFO     [olmo.train:816, rank=0] [step={log.step}/100000,epoch=0]\n    optim/total_grad_norm={log.norm:.4f}\n    optim/clipping_rate=0.0\n    train/CrossEntropyLoss={log.loss:.3f}\n    train/Perplexity={2.7**log.loss:.2f}\n    throughput/total_tokens={log.step * 4_194_304:,}\n    throughput/device/tokens_per_second={int(13_900 * 1.5 / log.seconds):,}\n    throughput/device/batches_per_second={1 / log.seconds:.4f}"
        )
        if log.step % 20 == 0:
            log.say("[{day} {clock}] INFO     [olmo.train:816, rank=0]     System/Peak GPU Memory (MB)=43,016")
        if log.step % 300 == 0:
            log.say(
                "[{day} {clock}] WARNING  [olmo.util:401, rank=0] Upload of step"
                + str(log.step)
                + "/model.pt failed with An error occurred (503) when calling the UploadPart operation (reached max retries: 0): Slow Down, trying again in 1.0 seconds (attempt 1 of 5)\n[{day} {clock}] INFO     [olmo.train:455, rank=0] Checkpoint saved to /ckpt/step"
                + str(log.step)
            )
        noise.on_the_way(log, 0.05)
    log.say("[{day} {clock}] INFO     [olmo.train:1300, rank=0] Training complete")
    noise.end(log)


FAMILIES = (
    Family("deepspeed", deepspeed),
    Family("megatron", megatron),
    Family("nemo", nemo),
    Family("torchtitan", torchtitan),
    Family("nanotron", nanotron),
    Family("olmo", olmo),
)
