import { directContext } from '@roundhouse/kit/testing'
import { startSample } from '../../sample/main.ts'
import { describeEngine } from './describe-engine.ts'

/** Addresses of running nodes without security, separated by commas: the suite runs on them in the sample's place. */
const engines = (process.env.ROUNDHOUSE_TEST_ENGINES ?? '').split(',').filter(text => text !== '')
for (const url of engines) describeEngine(url, async () => ({ url, close: async () => {} }), { isReal: true })

for (const version of engines.length > 0 ? [] : ['8.x', '7.17.29', '9.1.0']) {
	const options = version === '8.x' ? {} : { version }
	describeEngine(`the sample, as ${version}`, () => startSample(directContext(), options))
}
