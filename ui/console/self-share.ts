import type { Explained } from '../../host/api/api.ts'

/** Returns the share of the time that a step took without its parts. */
export function selfShare(
	steps: readonly Pick<Explained['steps'][number], 'depth' | 'share'>[],
	at: number,
): number | undefined {
	const { share, depth = 0 } = steps[at] ?? {}
	if (share === undefined) return undefined
	const behind = steps.slice(at + 1)
	const end = behind.findIndex(step => step.depth <= depth)
	const parts = behind.slice(0, end < 0 ? behind.length : end).filter(step => step.depth === depth + 1)
	return Math.max(0, share - parts.reduce((sum, part) => sum + (part.share ?? 0), 0))
}
