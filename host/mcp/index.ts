/** The MCP endpoint: what the rest of the host may use of it. */
export { Pairing } from './access/pairing.ts'
export { type Level, levelNames } from './access/scopes.ts'
export { Tokens, tokenErrors } from './access/tokens.ts'
export type { Answer, ConsentDesk, Question } from './consent/question.ts'
export { type McpEndpoint, type McpEndpointOptions, startMcpEndpoint } from './endpoint.ts'
export type { InstalledDrivers } from './exposed/framework/installed-drivers.ts'
export { coreToolNames } from './exposed/tools/core-tools.ts'
export { defaultPort, defaultSettings, type McpSettings } from './settings.ts'
