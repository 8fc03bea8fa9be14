import type { Dispatcher } from 'undici'
import type { Access } from '../api/console.ts'
import { refuseAbove } from '../api/permission.ts'

/** Returns what a request does by its method, for engines where the method decides. */
function accessByMethod({ method }: Dispatcher.DispatchOptions): Access {
	if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return 'read'
	return method === 'DELETE' ? 'destructive' : 'write'
}

/**
 * An interceptor that rejects a request which does more than the current call was permitted: `new Pool(origin,
 * …).compose(permittedOnly(context.permitted))`. For an engine that reads by POST, pass `accessOf`. The request fails
 * with DriverError `denied` before a byte of it is sent.
 */
export function permittedOnly(
	permitted: () => Access,
	accessOf: (request: Dispatcher.DispatchOptions) => Access = accessByMethod,
): Dispatcher.DispatcherComposeInterceptor {
	return dispatch => (request, handler) => {
		const [path] = request.path.split('?', 1)
		refuseAbove(accessOf(request), permitted(), `${request.method} ${path}`)
		return dispatch(request, handler)
	}
}
