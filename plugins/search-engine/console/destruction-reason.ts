import { bulkActions } from './bulk-actions.ts'
import type { ClassifiedRequest } from './classify.ts'
import { bodyReason, stringsOf } from './destroying-body.ts'

/** Returns why a request is destructive, for the user. `undefined` if its text says that it deletes. */
export function destructionReason(request: ClassifiedRequest): string | undefined {
	if (request.access !== 'destructive' || saysDeletion(request)) return undefined
	return bodyReason(request, request.path.segments) ?? 'It may change or delete more than its text shows.'
}

function saysDeletion({ method, path: { segments }, body = '' }: ClassifiedRequest): boolean {
	const last = segments.at(-1) ?? ''
	if (method === 'DELETE' || last === '_delete_by_query') return true
	if (last === '_bulk') return bulkActions(body)?.some(({ name }) => name === 'delete') === true
	return last === '_aliases' && stringsOf(body).some(text => text === 'remove_index' || text === 'remove')
}
