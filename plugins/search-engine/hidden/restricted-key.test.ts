import { expect, test } from 'vitest'
import { keyRequest } from './restricted-key.ts'

test('the request of an API key leaves out hidden fields, and names no index twice', () => {
	const text = keyRequest({
		hidden: [{ table: 'people', columns: ['email', 'person.name'] }],
		tables: [
			{ name: 'people' },
			{ name: 'orders' },
			{ name: 'all', kind: 'alias' },
			{ name: 'logs', kind: 'data stream' },
		],
	})
	const [request, ...body] = text.split('\n').filter(line => !line.startsWith('#'))
	expect(request).toBe('POST /_security/api_key')
	expect(JSON.parse(body.join('\n'))).toEqual({
		name: 'roundhouse-ai',
		role_descriptors: {
			roundhouse_ai: {
				cluster: ['monitor'],
				indices: [
					{
						names: ['people'],
						privileges: ['read', 'view_index_metadata'],
						field_security: { grant: ['*'], except: ['email', 'email.*', 'person.name', 'person.name.*'] },
					},
					{ names: ['orders'], privileges: ['read', 'view_index_metadata'] },
				],
			},
		},
	})
})
