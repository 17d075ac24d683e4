// The part of undici for calls without a proxy. The whole package takes three times as long to load, and 8 MB more.

declare module 'undici/lib/dispatcher/agent.js' {
  import { Agent } from 'undici';

  export default Agent;
}
