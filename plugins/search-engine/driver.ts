import { defineDriver } from '@roundhouse/kit'
import { connect } from './connect.ts'
import { startSample } from './sample/main.ts'
import { tools } from './tools/index.ts'

/** The search-engine driver: Elasticsearch 7.x, 8.x, 9.x and Serverless behind the kit's interface. */
export default defineDriver({
	connect,
	startSample,
	tools,
})
