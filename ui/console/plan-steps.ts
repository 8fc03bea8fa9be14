import type { Explained } from '../../host/api/api.ts'

/** A step of a plan, with what the window computes for it. */
export interface PlanStep {
	readonly step: Explained['steps'][number]
	/** Its place in the plan. */
	readonly at: number
	/** The places of the steps that it is a part of, outermost first. */
	readonly within: readonly number[]
	readonly hasParts: boolean
	/** Time without its parts, in milliseconds, and as a share of the whole from 0 to 1, as far as they are known. */
	readonly ownMs?: number
	readonly ownShare?: number
	/** How wrong the estimate of the rows is. */
	readonly error?: EstimateError
}

/** `factor`: how many times as many rows came as were planned, or the other way round; at least 2. */
export interface EstimateError {
	readonly factor: number
	readonly cameMore: boolean
}

export type PlanOrder = 'tree' | 'time' | 'rows'

/** Returns the steps of a plan in the order of its tree. */
export function planSteps({ steps }: Pick<Explained, 'steps'>): readonly PlanStep[] {
	const within: number[] = []
	return steps.map((step, at) => {
		within.length = Math.min(within.length, step.depth)
		const outer = [...within]
		within.push(at)
		const parts = partsOf(steps, at)
		const [ownMs, ownShare] = [own(step.tookMs, parts, 'tookMs'), own(step.share, parts, 'share')]
		const error = estimateError(step)
		return {
			step,
			at,
			within: outer,
			hasParts: parts.length > 0,
			...(ownMs !== undefined && { ownMs }),
			...(ownShare !== undefined && { ownShare }),
			...(error && { error }),
		}
	})
}

/** Returns the steps in another order: the longest first, or the largest first. */
export function inOrder(steps: readonly PlanStep[], order: PlanOrder): readonly PlanStep[] {
	if (order === 'tree') return steps
	const amountOf = ({ step, ownMs, ownShare }: PlanStep) =>
		(order === 'time' ? (ownShare ?? ownMs) : (step.rows ?? step.estimatedRows)) ?? -1
	return steps.toSorted((one, other) => amountOf(other) - amountOf(one))
}

type Step = Explained['steps'][number]

function partsOf(steps: readonly Step[], at: number): readonly Step[] {
	const depth = steps[at]?.depth ?? 0
	const behind = steps.slice(at + 1)
	const end = behind.findIndex(step => step.depth <= depth)
	return behind.slice(0, end < 0 ? behind.length : end).filter(step => step.depth === depth + 1)
}

/** A step that runs beside its parts may take less time than they do together. */
function own(whole: number | undefined, parts: readonly Step[], member: 'tookMs' | 'share'): number | undefined {
	if (whole === undefined) return undefined
	return Math.max(0, whole - parts.reduce((sum, part) => sum + (part[member] ?? 0), 0))
}

/** Smaller errors do not change a plan. */
const leastFactor = 2

function estimateError({ rows, estimatedRows }: Step): EstimateError | undefined {
	if (rows === undefined || estimatedRows === undefined) return undefined
	// An engine expects at least one row.
	const [came, planned] = [Math.max(1, rows), Math.max(1, estimatedRows)]
	const factor = Math.max(came / planned, planned / came)
	return factor < leastFactor ? undefined : { factor, cameMore: came > planned }
}
