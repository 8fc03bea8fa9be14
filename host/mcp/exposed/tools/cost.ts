import type { ToolDescriptor } from '../framework/tool.ts'

/**
 * Estimates the tokens of a tool in every conversation: clients send its name, description and arguments to the model,
 * and four characters are about one token.
 */
export function costOf({
	name,
	description,
	inputSchema,
}: Pick<ToolDescriptor, 'name' | 'description' | 'inputSchema'>): number {
	return Math.ceil(JSON.stringify({ name, description, inputSchema }).length / 4)
}
