import './failures.css';

/** A trace whose root span has not arrived: exporters send a span when it ends, and the root ends last. */
export const RunningMark = () => (
  <span
    className="running"
    title="The root span has not arrived: the trace is running, or its root was lost or deleted"
  >
    <span className="running-dot" /> Running
  </span>
);
