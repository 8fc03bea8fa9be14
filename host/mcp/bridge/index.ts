/** The stdio bridge. A separate entry, so that it starts without loading the endpoint. */
export { type BridgeOptions, runBridge } from './bridge.ts'
export type { StartedHost } from './find-host.ts'
