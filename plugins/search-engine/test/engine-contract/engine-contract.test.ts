import { directContext } from '@roundhouse/kit/testing'
import { startSample } from '../../sample/main.ts'
import { describeEngine } from './describe-engine.ts'

/** Addresses of running nodes without security, separated by commas. The suite runs on them instead of the sample. */
const engines = (process.env.ROUNDHOUSE_TEST_ENGINES ?? '').split(',').filter(text => text !== '')
for (const url of engines) describeEngine(url, async () => ({ url, close: async () => {} }), { isReal: true })

if (engines.length === 0) {
	describeEngine('the sample, as 8.x', () => startSample(directContext()))
	describeEngine('the sample, as 7.17', () => startSample(directContext(), { version: '7.17.29' }))
	describeEngine('the sample, as 9.2', () => startSample(directContext(), { version: '9.2.0' }))
}
