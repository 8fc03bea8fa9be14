import { DriverError } from '@roundhouse/kit'
import { EngineError } from './engine-error.ts'

/** Elasticsearch Serverless does not offer what the driver would request. The request is not sent. */
export class NotOffered extends DriverError {
	constructor() {
		super('unsupported', 'Elasticsearch Serverless does not offer this.')
	}
}

/** Returns whether this is the answer of Elasticsearch Serverless to a request that it does not offer (410). */
export function saysNotOffered(error: unknown): boolean {
	return error instanceof EngineError && error.type === 'api_not_available_exception'
}
