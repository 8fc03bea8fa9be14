import { faultOfAnswer } from '@roundhouse/kit/answer-shape'
import { decode } from '@roundhouse/kit/encoded'
import type { HostMethod, ParamsOf } from '../../host/api/api.ts'

/** Host methods that answer with what a driver encoded, which the host does not read. */
const encodedBy = {
	'tables.describe': 'describeTable',
	'grid.open': 'openGrid',
	'grid.page': 'gridPage',
	'rows.read': 'readRow',
	'rows.aggregate': 'aggregate',
	'console.run': 'runConsole',
} as const satisfies Partial<Record<HostMethod, InvalidResponseError['method']>>

const isEncoded = (method: HostMethod): method is keyof typeof encodedBy => Object.hasOwn(encodedBy, method)

/** A driver's answer has another shape than that of its method. The host knows which driver it was. */
export class InvalidResponseError extends Error {
	override readonly name = 'WrongAnswer'
	readonly method: ParamsOf<'answers.refuse'>['method']

	constructor(method: InvalidResponseError['method'], fault: string) {
		super(fault)
		this.method = method
	}
}

/** Parses and checks what a driver encoded. Every number keeps its digits. @throws WrongAnswer */
export function readAnswer(method: HostMethod, bytes: Uint8Array): unknown {
	if (!isEncoded(method)) return decode(bytes)
	const encoded = encodedBy[method]
	let answer: unknown
	try {
		answer = decode(bytes)
	} catch {
		throw new InvalidResponseError(encoded, `${encoded}: it is not JSON`)
	}
	const fault = faultOfAnswer(encoded, answer)
	if (fault !== undefined) throw new InvalidResponseError(encoded, fault)
	return answer
}
