import { directContext } from '@roundhouse/kit/testing'
import { dailySampleOf } from '../../../../scripts/daily-sample.ts'
import { startSample } from '../../sample/main.ts'
import { describeEngine } from './describe-engine.ts'

/** Addresses of running nodes without security, separated by commas. The suite runs on them instead of the sample. */
const engines = (process.env.ROUNDHOUSE_TEST_ENGINES ?? '').split(',').filter(text => text !== '')
for (const url of engines) describeEngine(url, async () => ({ url, close: async () => {} }), { isReal: true })

/** The versions that the sample can imitate. */
const samples = ['8.13.4', '7.17.29', '9.2.0'] as const
for (const version of engines.length === 0 ? dailySampleOf(samples) : [])
	describeEngine(`the sample, as ${version}`, () => startSample(directContext(), { version }))
