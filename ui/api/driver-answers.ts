import { type EncodedMethod, faultOfAnswer, wrongAnswer } from '@roundhouse/kit/answer-shape'
import { decode } from '@roundhouse/kit/encoded'
import type { HostMethod } from '../../host/api/api.ts'

/** Host methods that answer with what a driver encoded, which the host does not read. */
const encodedBy: Readonly<Partial<Record<HostMethod, EncodedMethod>>> = {
	'tables.describe': 'describeTable',
	'grid.open': 'openGrid',
	'grid.page': 'gridPage',
	'rows.read': 'readRow',
	'console.run': 'runConsole',
}

/** Parses and checks what a driver encoded. Every number keeps its digits. @throws Error with words for the user */
export function readAnswer(method: HostMethod, bytes: Uint8Array): unknown {
	const encoded = encodedBy[method]
	if (encoded === undefined) return decode(bytes)
	let answer: unknown
	try {
		answer = decode(bytes)
	} catch {
		throw new Error(wrongAnswer(encoded, `${encoded}: it is not JSON`))
	}
	const fault = faultOfAnswer(encoded, answer)
	if (fault !== undefined) throw new Error(wrongAnswer(encoded, fault))
	return answer
}
