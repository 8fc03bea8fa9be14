import {
	type Call,
	type Connection,
	type Encoded,
	decode as kitDecode,
	type Settings,
	type Statement,
} from '@roundhouse/kit'
import { directContext } from '@roundhouse/kit/testing'
import { connect } from '../connect.ts'
import { startSample } from '../sample/main.ts'

/** What the tests of this room share: a call nobody stops, a connection to a sample of one's own, decoded bytes. */

export function call(signal: AbortSignal = new AbortController().signal): Call {
	return { signal, progress() {} }
}

export async function openSample(settings: Settings = {}, version?: string) {
	const sample = await startSample(directContext(), version === undefined ? {} : { version })
	const connection = await connect({ ...sample.settings, ...settings }, directContext(), call())
	return {
		sample,
		connection,
		async [Symbol.asyncDispose]() {
			await connection.close()
			await sample.close()
		},
	}
}

/** The same, with a second connection beside it: an AI client's, to whom a table of so many rows is large. */
export async function openSampleForClient(costLimitRows: number) {
	const { sample, connection, ...opened } = await openSample()
	const client = await connect(sample.settings, directContext({ costLimitRows }), call())
	return {
		connection,
		client,
		async [Symbol.asyncDispose]() {
			await client.close()
			await opened[Symbol.asyncDispose]()
		},
	}
}

/** The one statement of a console text, as the driver reads and judges it. */
export function statement(connection: Connection, text: string): Statement {
	const [only] = connection.console.analyse(text)
	if (!only) throw new Error('the text holds no statement')
	return { ...only, text: text.slice(only.start, only.end) }
}

export function decode<T>(bytes: Encoded<T>): T {
	return kitDecode(bytes)
}

/** A second client of the cluster, that shares nothing with the driver. */
export async function direct(url: string, path: string, init?: RequestInit): Promise<string> {
	const response = await fetch(`${url}${path}`, { ...init, headers: { 'content-type': 'application/json' } })
	return response.text()
}
