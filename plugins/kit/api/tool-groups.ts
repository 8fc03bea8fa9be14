/**
 * Groups in which AI clients see tools: those of the core, of drivers, and of the user (docs/mcp.md, "Groups of
 * tools").
 */
export const toolGroups = ['core', 'write', 'diagnose', 'driver', 'custom'] as const
export type ToolGroup = (typeof toolGroups)[number]
