import type { ToolManifest } from '@roundhouse/kit/manifest'

/** Tools of the endpoint in this benchmark. The other servers replay the responses of this endpoint. */

export const protocolVersion = '2026-07-28'

/** Returns `count` generated tools. Together with the core tools, the benchmark lists 50 tools. */
export function someTools(count: number): ToolManifest[] {
	return Array.from({ length: count }, (_, index) => ({
		name: `tool_${String(index).padStart(2, '0')}`,
		description: 'A tool of the benchmark, with a description of ordinary length.',
		inputSchema: {
			type: 'object',
			properties: { index: { type: 'string', description: 'Where to look' }, limit: { type: 'integer', minimum: 1 } },
			required: ['index'],
			additionalProperties: false,
		},
		access: 'read',
		needsConnection: false,
		group: 'core' as const,
	}))
}
