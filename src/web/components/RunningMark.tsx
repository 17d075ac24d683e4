import './failures.css';

/** Mark of a trace without its root span. Exporters send a span when it ends, and the root span ends last. */
export const RunningMark = () => (
  <span
    className="running"
    title="The root span has not arrived: the trace is running, or its root was lost or deleted"
  >
    <span className="running-dot" /> Running
  </span>
);
