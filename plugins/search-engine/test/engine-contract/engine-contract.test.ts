import { directContext } from '@roundhouse/kit/testing'
import { expect, test } from 'vitest'
import { runOracle } from '../../../../tests/oracle/run.ts'
import { openSearchEngine } from '../../../../tests/oracle/search-engine.ts'
import { runUndoPairs } from '../../../../tests/oracle/undo.ts'
import { someOf } from '../../../../tests/support/cases.ts'
import { startSample } from '../../sample/main.ts'
import { isAtLeast } from '../../transport/product.ts'
import { describeEngine } from './describe-engine.ts'
import { describeServerless } from './serverless.ts'

/** Addresses of running nodes without security, separated by commas. The suite runs on them instead of the sample. */
const engines = (process.env.ROUNDHOUSE_TEST_ENGINES ?? '').split(',').filter(text => text !== '')
for (const url of engines) {
	const open = async () => ({ url, close: async () => {} })
	describeEngine(url, open, { isReal: true })
	// Serverless has the features of the newest version that the tests know.
	if (await isFrom(url, 9, 2)) describeServerless(url, open)
	// Its model has what this version and later ones find: fields without an index, for example.
	if (!(await isFrom(url, 8, 19))) continue
	// A page lost a row of a shard without a date; a range of nanoseconds without a lower end could not be grouped.
	test.each([
		[26, 7_200_971],
		[29, 7_200_134],
		[46, 7_200_489],
		[44, 7_200_687],
	])(`%i random questions of the seed %i on ${url}, of which one was answered wrong`, async (cases, seed) => {
		await using oracle = await openSearchEngine(url)
		expect(await runOracle(oracle, { cases, seed })).toEqual({ asked: cases, differences: [] })
	})
	test(`50 random changes on ${url} come back byte for byte, or a conflict is named`, async () => {
		await using oracle = await openSearchEngine(url)
		expect(await runUndoPairs(oracle, { pairs: 50, seed: 51 })).toMatchObject({ made: 50, differences: [] })
	})
	test(`200 random questions through the driver and MCP are answered as the documents on ${url} say`, async () => {
		await using oracle = await openSearchEngine(url)
		expect(await runOracle(oracle, { cases: 200, seed: 51 })).toEqual({ asked: 200, differences: [] })
	})
}

/** The versions that the sample can imitate. */
const samples = ['8.13.4', '7.17.29', '9.2.0'] as const
for (const version of engines.length === 0 ? someOf(samples) : [])
	describeEngine(`the sample, as ${version}`, () => startSample(directContext(), { version }))

async function isFrom(url: string, major: number, minor: number): Promise<boolean> {
	const { version } = (await (await fetch(url)).json()) as { readonly version: { readonly number: string } }
	const [ownMajor = 0, ownMinor = 0] = version.number.split('.').map(Number)
	return isAtLeast([ownMajor, ownMinor], major, minor)
}
