import { describe, expect, test } from 'vitest'
import { judge } from '../console/classify.ts'
import { makeRequest } from '../console/request.ts'
import { otherMethods } from './other-methods.ts'
import { packageFolder, readClient } from './version.ts'

/** Names of APIs that change something, by their first word. */
const writes = new RegExp(
	`^(?:${[
		...[
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
		],
		...['move', 'migrate', 'pause', 'resume', 'follow$', 'unfollow', 'forget', 'flush', 'refresh', 'forcemerge', 'set'],
		...['rollover', 'rollup$', 'shrink', 'split', 'clone', 'freeze', 'unfreeze', 'add', 'remove', 'modify', 'promote'],
		...['execute', 'ack', 'activate', 'deactivate', 'enable', 'disable', 'invalidate', 'grant', 'change', 'restore'],
		...['mount', 'cleanup', 'cancel', 'reload', 'rethrottle', 'reindex', 'upgrade', 'revert', 'forecast', 'import'],
		...[
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
		],
	].join('|')})`,
)

/** What it gives is nobody's to read who may only read. */
const secrets = ['connector.secret_get', 'fleet.get_secret']

describe.each([7, 8, 9])('of the APIs of %d.x', async major => {
	const { apis } = await readClient(packageFolder(`elasticsearch-${major}`), major === 7)
	const judged = apis.flatMap(({ name, routes }) =>
		routes
			.filter(({ path }) => !path.startsWith('/_sql'))
			.flatMap(({ methods, path }) => {
				const more = Object.entries(otherMethods).flatMap(([method, names]) => (names.includes(name) ? [method] : []))
				return [...new Set([...methods, ...more])].map(method => {
					const request = makeRequest(method, path.replaceAll(/\{\w+\}/g, 'x1'), '')
					return { name, line: `${name}: ${method} ${path}`, method, path, access: judge(request).access }
				})
			}),
	)
	const lines = (found: typeof judged) => found.map(({ line }) => line)

	test('none that changes something is called a read, by whatever method', () => {
		const changing = judged.filter(({ name }) => writes.test(name.split('.').at(-1) ?? '') || secrets.includes(name))
		expect(changing.length).toBeGreaterThan(200)
		expect(lines(changing.filter(({ access }) => access === 'read'))).toEqual([])
	})

	test('no PUT and no DELETE is called a read', () => {
		const writing = judged.filter(({ method }) => method === 'PUT' || method === 'DELETE')
		expect(lines(writing.filter(({ access }) => access === 'read'))).toEqual([])
	})

	test('those that get, list or count are reads', () => {
		const reading = judged.filter(
			({ name, method, path }) =>
				method === 'GET' &&
				/(?:^|\.)(?:get|list|count|search|stats|exists|explain|info|status)(?:_|$)/.test(name) &&
				!path.includes('{type}') &&
				!secrets.includes(name),
		)
		expect(reading.length).toBeGreaterThan(100)
		expect(lines(reading.filter(({ access }) => access !== 'read'))).toEqual([])
	})

	test('what deletes anything but a search of its own is destructive', () => {
		const deleting = judged.filter(({ method, access }) => method === 'DELETE' && access !== 'destructive')
		const closed = /^(?:async_search\.delete|eql\.delete|esql\.async_query_delete|clear_scroll|close_point_in_time)$/
		expect(lines(deleting.filter(({ name }) => !closed.test(name)))).toEqual([])
	})
})
