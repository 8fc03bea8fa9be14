import type { ToolDescriptor } from '../framework/tool.ts'

/**
 * What a tool costs a model in every conversation, in tokens: clients hand over its name, its description and its
 * arguments, and four characters make about one token.
 */
export function costOf({
	name,
	description,
	inputSchema,
}: Pick<ToolDescriptor, 'name' | 'description' | 'inputSchema'>): number {
	return Math.ceil(JSON.stringify({ name, description, inputSchema }).length / 4)
}
