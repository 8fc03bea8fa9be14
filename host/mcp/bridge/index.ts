/** The stdio bridge. Imported by itself, so that it starts without the endpoint's parts. */
export { type BridgeOptions, runBridge } from './bridge.ts'
