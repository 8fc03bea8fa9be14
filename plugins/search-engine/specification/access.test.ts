import { describe, expect, test } from 'vitest'
import { classifyRequest } from '../console/classify.ts'
import { makeRequest } from '../console/request.ts'
import { otherMethods } from './other-methods.ts'
import { packageFolder, readClient } from './version.ts'

/** Names of APIs that change something, by their first word. */
const writes = new RegExp(
	`^(?:${[
		'put',
		'post',
		'delete',
		'create',
		'update',
		'index',
		'bulk',
		'start',
		'stop',
		'open$',
		'close',
		'clear',
		'reset',
		'move',
		'migrate',
		'pause',
		'resume',
		'follow$',
		'unfollow',
		'forget',
		'flush',
		'refresh',
		'forcemerge',
		'set',
		'rollover',
		'rollup$',
		'shrink',
		'split',
		'clone',
		'freeze',
		'unfreeze',
		'add',
		'remove',
		'modify',
		'promote',
		'execute',
		'ack',
		'activate',
		'deactivate',
		'enable',
		'disable',
		'invalidate',
		'grant',
		'change',
		'restore',
		'mount',
		'cleanup',
		'cancel',
		'reload',
		'rethrottle',
		'reindex',
		'upgrade',
		'revert',
		'forecast',
		'import',
		'enroll',
		'delegate',
		'downsample',
		'retry',
		'reroute',
		'schedule',
		'check_in',
		'claim',
		'last_sync',
		'truncate',
	].join('|')})`,
)

/** APIs that return secrets, which must not count as reads. */
const secrets = ['connector.secret_get', 'fleet.get_secret']

describe.each([7, 8, 9])('of the APIs of %d.x', async major => {
	const { apis } = await readClient(packageFolder(`elasticsearch-${major}`), major === 7)
	const engine = { version: [major, 99], isOpenSource: false, isServerless: false } as const
	const classified = apis.flatMap(({ name, routes }) =>
		routes
			.filter(({ path }) => !path.startsWith('/_sql'))
			.flatMap(({ methods, path }) => {
				const more = Object.entries(otherMethods).flatMap(([method, names]) => (names.includes(name) ? [method] : []))
				return [...new Set([...methods, ...more])].map(method => {
					const request = makeRequest(method, path.replaceAll(/\{\w+\}/g, 'x1'), '')
					return {
						name,
						line: `${name}: ${method} ${path}`,
						method,
						path,
						access: classifyRequest(request, engine).access,
					}
				})
			}),
	)
	const lines = (found: typeof classified) => found.map(({ line }) => line)

	test('no changing API is classified as a read, by any method', () => {
		const changing = classified.filter(
			({ name }) => writes.test(name.split('.').at(-1) ?? '') || secrets.includes(name),
		)
		expect(changing.length).toBeGreaterThan(200)
		expect(lines(changing.filter(({ access }) => access === 'read'))).toEqual([])
	})

	test('no PUT and no DELETE is classified as a read', () => {
		const writing = classified.filter(({ method }) => method === 'PUT' || method === 'DELETE')
		expect(lines(writing.filter(({ access }) => access === 'read'))).toEqual([])
	})

	test('APIs that get, list or count are reads', () => {
		const reading = classified.filter(
			({ name, method, path }) =>
				method === 'GET' &&
				/(?:^|\.)(?:get|list|count|search|stats|exists|explain|info|status)(?:_|$)/.test(name) &&
				!path.includes('{type}') &&
				!secrets.includes(name),
		)
		expect(reading.length).toBeGreaterThan(100)
		expect(lines(reading.filter(({ access }) => access !== 'read'))).toEqual([])
	})

	test('a deletion of anything except searches and named aliases is destructive', () => {
		const deleting = classified.filter(({ method, access }) => method === 'DELETE' && access !== 'destructive')
		const harmless =
			/^(?:async_search\.delete|eql\.delete|esql\.async_query_delete|clear_scroll|close_point_in_time|indices\.delete_alias)$/
		expect(lines(deleting.filter(({ name }) => !harmless.test(name)))).toEqual([])
	})
})
