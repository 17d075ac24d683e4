/** Times of a bench of tinybench, which otherwise runs each task at least 80 times. `SMOKE=1` runs each task once. */
export const BENCH_TIME = process.env.SMOKE
  ? { time: 0, iterations: 1, warmup: false }
  : { time: 1_000, warmupTime: 250 };
