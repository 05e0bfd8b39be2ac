"""Trainers that people call: Hugging Face, Lightning, Composer, fairseq."""

from tests.healthy import noise, quoted
from tests.healthy.log import Family, Log


def hugging(log: Log) -> None:
    """HF Trainer with its bar, its dictionaries, and evaluations on which nothing moves."""
    noise.start(log)
    log.say(
        "[INFO|trainer.py:2128] {day} {clock},{ms} >> ***** Running training *****\n[INFO|trainer.py:2129] {day} {clock},{ms} >>   Num examples = 52,002\n[INFO|trainer.py:2130] {day} {clock},{ms} >>   Num Epochs = 3"
    )
    log.say("`use_cache=True` is incompatible with gradient checkpointing. Setting `use_cache=False`.")
    log.say("")
    while log.has_room():
        log.draw(
            f"  {log.step * 100 // 200000}%|▏         | {log.step}/200000 [{log.step // 40:02}:{log.step * 15 // 10 % 60:02}<83:00:00,  {log.seconds:.2f}s/it]"
        )
        log.say(
            f"{{'loss': {log.loss:.4f}, 'grad_norm': {log.norm:.6f}, 'learning_rate': 1.9e-05, 'epoch': {log.step / 5000:.2f}}}"
        )
        if log.step % 400 == 0:
            log.go_on(300)
            log.say(
                f"{{'eval_loss': {log.loss:.4f}, 'eval_error_rate': 0.0123, 'eval_runtime': 301.1, 'eval_samples_per_second': 33.2, 'epoch': {log.step / 5000:.2f}}}"
            )
            log.say(
                "[INFO|trainer.py:3503] {day} {clock},{ms} >> Saving model checkpoint to out/checkpoint-"
                + str(log.step)
            )
            log.say(
                "/opt/venv/lib/python3.11/site-packages/torch/nn/parallel/_functions.py:68: UserWarning: Was asked to gather along dimension 0, but all input tensors were scalars; will instead unsqueeze and return a vector.\n  warnings.warn('Was asked to gather along dimension 0, but all '"
            )
        noise.on_the_way(log, 0.01)
        quoted.sample(log, 0.004)
    log.say(
        "{'train_runtime': 30211.1, 'train_samples_per_second': 5.2, 'train_steps_per_second': 0.66, 'train_loss': 2.11, 'epoch': 3.0}\n[INFO|trainer.py:2600] {day} {clock},{ms} >> \n\nTraining completed. Do not forget to share your model on huggingface.co/models =)\n"
    )
    noise.end(log)


def lightning(log: Log) -> None:
    log.say(
        "GPU available: True (cuda), used: True\nTPU available: False, using: 0 TPU cores\nInitializing distributed: GLOBAL_RANK: 0, MEMBER: 1/4\nInitializing distributed: GLOBAL_RANK: 1, MEMBER: 2/4\nInitializing distributed: GLOBAL_RANK: 2, MEMBER: 3/4\nInitializing distributed: GLOBAL_RANK: 3, MEMBER: 4/4\n----------------------------------------------------------------------------------------------------\ndistributed_backend=nccl\nAll distributed processes registered. Starting with 4 processes\n----------------------------------------------------------------------------------------------------\n"
    )
    noise.start(log)
    log.say(
        "LOCAL_RANK: 0 - CUDA_VISIBLE_DEVICES: [0,1,2,3]\n/opt/venv/lib/python3.11/site-packages/lightning/pytorch/trainer/connectors/data_connector.py:424: The 'train_dataloader' does not have many workers which may be a bottleneck. Consider increasing the value of the `num_workers` argument` to `num_workers=63` in the `DataLoader` to improve performance.\nRestoring states from the checkpoint path at /ckpt/last.ckpt\nSLURM auto-requeueing enabled. Setting signal handlers."
    )
    log.say(
        "Sanity Checking DataLoader 0: 100%|██████████| 2/2 [00:00<00:00,  3.41it/s]\nval_loss: nan, best_model_score: None"
    )
    log.say("")
    while log.has_room():
        epoch, batch = divmod(log.step, 1000)
        log.draw(
            f"Epoch {epoch}: {batch // 10:3}%|█         | {batch}/1000 [{batch // 40:02}:{batch % 60:02}<24:00,  0.66it/s, v_num=3, train_loss={log.loss:.3f}, val_loss=nan.0]"
        )
        if batch % 20 == 0:
            log.say(
                f"Epoch {epoch}, global step {log.step}: 'val/err' reached {log.loss / 10:.5f} (best {log.loss / 10:.5f}), saving model to '/ckpt/epoch={epoch}.ckpt' as top 1"
            )
        elif batch % 20 == 7:
            log.say("")
        noise.on_the_way(log, 0.005)
        log.written += 0 if batch % 10 else 1
    log.say("\n`Trainer.fit` stopped: `max_epochs=3` reached.")
    noise.end(log)


def composer(log: Log) -> None:
    noise.start(log)
    log.say(
        "{day} {clock},{ms}: rank0[2204][MainThread]: INFO: composer.utils.reproducibility: Setting seed to 17\n{day} {clock},{ms}: rank0[2204][MainThread]: WARNING: composer.trainer.trainer: fsdp: `limit_all_gathers` failed to be read from the config, using True\n******************************\nConfig:\ncomposer_version: 0.22.0\nnode_name: unknown because NODENAME environment variable not set\nnum_gpus_per_node: 8\nnum_nodes: 1\nrank_zero_seed: 17\n\n******************************"
    )
    while log.has_room():
        log.say(
            f"[batch={log.step}/100000]:\n\t Train time/batch: {log.step - 1}\n\t Train time/sample: {(log.step - 1) * 512}\n\t Train loss/train/total: {log.loss:.4f}\n\t Train metrics/train/LanguageCrossEntropy: {log.loss:.4f}\n\t Train throughput/batches_per_sec: {1 / log.seconds:.4f}\n\t Train memory/alloc_retries: 0\n\t Train memory/peak_reserved_mem: 61.2110\n\t Train lr-DecoupledAdamW/group0: 0.0003"
        )
        noise.on_the_way(log, 0.05)
    log.say("{day} {clock},{ms}: rank0[2204][MainThread]: INFO: composer.trainer.trainer: Engine closed.\nDone.")
    noise.end(log)


def fairseq(log: Log) -> None:
    log.say(
        "{day} {clock} | INFO | fairseq.distributed.utils | distributed init (rank 0): tcp://node-7:18421\n{day} {clock} | INFO | torch.distributed.distributed_c10d | Added key: store_based_barrier_key:1 to store for rank: 0\n{day} {clock} | INFO | torch.distributed.distributed_c10d | Waiting in store based barrier to initialize process group for rank: 0, key: store_based_barrier_key:1 (world_size=16, worker_count=9, timeout=0:30:00)\n{day} {clock} | INFO | torch.distributed.distributed_c10d | Rank 0: Completed store-based barrier for key:store_based_barrier_key:1 with 16 nodes."
    )
    noise.start(log)
    log.say(
        "{day} {clock} | INFO | fairseq_cli.train | {'_name': None, 'common': {'log_interval': 1, 'fp16': True, 'min_loss_scale': 0.0001, 'threshold_loss_scale': None, 'on_cpu_convert_precision': False}, 'distributed_training': {'heartbeat_timeout': -1, 'broadcast_buffers': False}, 'checkpoint': {'restore_file': 'checkpoint_last.pt', 'patience': -1}}\n{day} {clock} | INFO | fairseq.trainer | No existing checkpoint found checkpoints/checkpoint_last.pt"
    )
    scale = 128
    while log.has_room():
        if log.step in (1, 2, 3) or log.step % 600 == 0:
            scale //= 2 if scale > 16 else 1
            log.say(
                f"{{day}} {{clock}} | INFO | fairseq.trainer | NOTE: gradient overflow detected, ignoring gradient, setting loss scale to: {float(scale)}"
            )
            continue
        if log.step % 599 == 0:
            scale = 32
        log.say(
            f"{{day}} {{clock}} | INFO | train_inner | epoch 001:  {log.step} / 100000 loss={log.loss:.3f}, nll_loss={log.loss - 0.2:.3f}, ppl={2**log.loss:.2f}, wps=41233.1, ups={1 / log.seconds:.2f}, wpb=62914, bsz=16, num_updates={log.step}, lr=0.0005, gnorm={log.norm:.3f}, clip=0, loss_scale={scale}, train_wall=2, gb_free=31.2, wall={log.step * 2}"
        )
        noise.on_the_way(log, 0.01)
    log.say("{day} {clock} | INFO | fairseq_cli.train | done training in 30211.1 seconds")
    noise.end(log)


FAMILIES = (
    Family("hugging", hugging),
    Family("lightning", lightning),
    Family("composer", composer),
    Family("fairseq", fairseq),
)
