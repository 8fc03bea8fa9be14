/** The MCP endpoint: what the rest of the host may use of it. */
export { Pairing } from './access/pairing.ts'
export { Tokens, tokenErrors } from './access/tokens.ts'
export type { Answer, ConsentDesk, Question } from './approval/question.ts'
export type { DriverCatalog } from './driver-catalog.ts'
export { type McpEndpoint, type McpEndpointOptions, startMcpEndpoint } from './endpoint.ts'
export { defaultPort, defaultSettings, type McpSettings } from './settings.ts'
export { coreToolNames } from './tools/core-tools.ts'
