import { directContext } from '@roundhouse/kit/testing'
import { startSample } from '../../sample/main.ts'
import { describeEngine } from './describe-engine.ts'

describeEngine('the sample, as 8.x', () => startSample(directContext()))
describeEngine('the sample, as 7.17', () => startSample(directContext(), { version: '7.17.29' }))
describeEngine('the sample, as 9.1', () => startSample(directContext(), { version: '9.1.0' }))

/** Addresses of running nodes without security, separated by commas: the same suite then runs on each. */
const engines = process.env.ROUNDHOUSE_TEST_ENGINES ?? ''
for (const url of engines.split(',').filter(text => text !== '')) {
	describeEngine(url, async () => ({ url, close: async () => {} }), { isReal: true })
}
