/** What each group of tools is for. */
export const toolGroupWords = {
	core: 'Read and find',
	write: 'Write',
	diagnose: 'Diagnose',
	driver: "Engine's own",
	custom: 'Saved statements',
} as const
export type ToolGroup = keyof typeof toolGroupWords
// Returns the typed keys of a constant object.
export const toolGroups = Object.keys(toolGroupWords) as readonly ToolGroup[]
