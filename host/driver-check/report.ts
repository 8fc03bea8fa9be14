import type { CaseId, Group } from '@roundhouse/kit/conformance'

/** Something in a driver that its author has to change. */
export interface Finding {
	/** The case that found it, or `check.…` if the check itself could not run. Stable. */
	readonly id: CaseId | `check.${string}`
	/** A file, a call with its arguments, or a name in the manifest. */
	readonly place: string
	readonly sentence: string
}

export interface CaseResult {
	readonly id: CaseId
	readonly rule: string
	readonly outcome: 'passed' | 'failed' | 'absent'
	/** Why the driver does not have what the case tries, or why the case does not apply. */
	readonly reason?: string
	readonly tookMs: number
}

export interface GroupResult {
	readonly group: Group
	readonly passed: number
	readonly failed: number
	readonly absent: number
}

export interface Report {
	readonly driver: { readonly id: string; readonly version: string; readonly api: string }
	/** How the process was confined. */
	readonly sandbox: string
	/** From the start of the process to its readiness. Absent if it did not start. */
	readonly startMs?: number
	/** Tokens that the tools cost a model in every conversation. */
	readonly tools: { readonly tokens: number; readonly count: number }
	readonly groups: readonly GroupResult[]
	readonly cases: readonly CaseResult[]
	readonly findings: readonly Finding[]
}
