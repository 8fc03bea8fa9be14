import { type Call, type Encoded, decode as kitDecode, type Settings, type Statement } from '@roundhouse/kit'
import { directContext } from '@roundhouse/kit/testing'
import { connect } from '../connect.ts'
import type { SearchConnection } from '../connection.ts'
import { startSample } from '../sample/main.ts'
import type { Engine } from '../transport/product.ts'

/** An engine with every endpoint, for tests of classification. */
export const fullEngine: Engine = { version: [8, 19], isOpenSource: false, isServerless: false }

/** Returns a call that is never cancelled. */

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

/** Opens the sample with a second connection of an AI client, for which a table of this many rows is large. */
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

/** Returns the only statement of a console text, with the driver's verdict. */
export function statement(connection: Pick<SearchConnection, 'console'>, text: string): Statement {
	const [only] = connection.console.analyse(text)
	if (!only) throw new Error('the text holds no statement')
	return { ...only, text: text.slice(only.start, only.end) }
}

export function decode<T>(bytes: Encoded<T>): T {
	return kitDecode(bytes)
}

/** Sends a request of a second client, which shares nothing with the driver. */
export async function direct(url: string, path: string, init?: RequestInit): Promise<string> {
	const response = await fetch(`${url}${path}`, { ...init, headers: { 'content-type': 'application/json' } })
	return response.text()
}
