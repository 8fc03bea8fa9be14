import { abbreviated } from '@roundhouse/kit/answer-shape'
import type { z } from 'zod'

/**
 * Describes the first fault that the schema of a method found in an answer, with its place in the driver's data:
 * `analyse[0].access: "readonly" is none of read, write, destructive`.
 */
export function describeFault(method: string, { issues }: z.ZodError, answer: unknown): string {
	const [issue] = issues
	if (issue === undefined) return `${method}: the answer is not valid`
	const { path } = issue
	const place = method + path.map(step => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`)).join('')
	const value = path.reduce<unknown>((at, step) => (at as Readonly<Record<PropertyKey, unknown>>)[step], answer)
	if (issue.code === 'invalid_value') return `${place}: ${abbreviated(value)} is none of ${issue.values.join(', ')}`
	if (issue.code === 'invalid_type') return `${place}: ${abbreviated(value)} is not of the type ${issue.expected}`
	return `${place}: ${abbreviated(value)}: ${issue.message}`
}
