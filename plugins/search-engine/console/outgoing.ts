import type { Access } from '@roundhouse/kit'
import type { Dispatcher } from 'undici'
import { accessBy } from './classify.ts'

/**
 * What a request does that is about to leave, whoever made it: the console's judgement of the path as it is written.
 * What a read opens and closes on its way counts as reading: a point in time, a scroll, and the end of a task that the
 * call itself began.
 */
export function accessOfOutgoing({ method, path, body }: Dispatcher.DispatchOptions, prefix: string): Access {
	const [pathname = '', search = ''] = path.slice(prefix.length).split(/\?(.*)/s)
	const segments = pathname
		.split('/')
		.filter(segment => segment !== '')
		.map(decodeURIComponent)
	if (isHousekeeping(method, segments)) return 'read'
	// Every method that this driver sends is one of the console's.
	const request = { method: method as 'GET', path: { segments, pathname, search }, body: textOf(body) }
	return accessBy(request, segments)
}

function isHousekeeping(method: string, segments: readonly string[]): boolean {
	const path = segments.join('/')
	if (method === 'DELETE') return path === '_pit' || path === '_search/scroll'
	return method === 'POST' && segments.length === 3 && segments[0] === '_tasks' && segments[2] === '_cancel'
}

function textOf(body: Dispatcher.DispatchOptions['body']): string | undefined {
	return typeof body === 'string' ? body : undefined
}
