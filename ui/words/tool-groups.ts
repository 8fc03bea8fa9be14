/** What each group of tools that AI clients are shown is for. */
export const toolGroupWords = {
	core: 'Read and find',
	write: 'Write',
	diagnose: 'Diagnose',
	driver: "Engine's own",
	custom: 'Saved requests',
} as const
export type ToolGroup = keyof typeof toolGroupWords
// The keys of a constant object.
export const toolGroups = Object.keys(toolGroupWords) as readonly ToolGroup[]
