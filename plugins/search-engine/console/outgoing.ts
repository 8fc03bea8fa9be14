import type { Access } from '@roundhouse/kit'
import type { Dispatcher } from 'undici'
import type { Engine } from '../transport/product.ts'
import { accessOf } from './classify.ts'
import { stringsOf } from './destroying-body.ts'

/**
 * Classifies a request that is about to be sent, as the console does: the most dangerous interpretation of its path
 * counts. Requests that a read sends for its housekeeping count as reads: opening and closing a point in time or a
 * scroll, and cancelling a task of the same call.
 */
export function accessOfOutgoing(
	{ method, path, body }: Dispatcher.DispatchOptions,
	prefix: string,
	engine: Engine,
): Access {
	const [pathname = '', search = ''] = path.slice(prefix.length).split(/\?(.*)/s)
	const segments = pathname
		.split('/')
		.filter(segment => segment !== '')
		.map(decodeURIComponent)
	if (isHousekeeping(method, segments, textOf(body))) return 'read'
	// Every method that this driver sends is a method of the console.
	const request = { method: method as 'GET', path: { segments, pathname, search }, body: textOf(body) }
	return accessOf(request, engine)
}

function isHousekeeping(method: string, segments: readonly string[], body = ''): boolean {
	const path = segments.join('/')
	if (method === 'DELETE') return path === '_pit' || (path === '_search/scroll' && !stringsOf(body).includes('_all'))
	return method === 'POST' && segments.length === 3 && segments[0] === '_tasks' && segments[2] === '_cancel'
}

function textOf(body: Dispatcher.DispatchOptions['body']): string | undefined {
	return typeof body === 'string' ? body : undefined
}
