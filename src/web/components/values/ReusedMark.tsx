/** Marks a run whose response is that of an earlier run. */
export const ReusedMark = () => (
  <span className="muted" title="The response of an earlier run with the same request. No model was called.">
    reused
  </span>
);
