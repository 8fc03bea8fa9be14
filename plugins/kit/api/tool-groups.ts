/** Groups in which AI clients are shown tools: the core's, those of drivers, and those that a person made (docs/mcp.md, "Groups of tools"). */
export const toolGroups = ['core', 'write', 'diagnose', 'driver', 'custom'] as const
export type ToolGroup = (typeof toolGroups)[number]
