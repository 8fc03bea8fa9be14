import { formatText as format } from '@roundhouse/sql/format'
import { mariadb } from 'sql-formatter'
import { tokensOf } from '../sql/lexer.ts'
import { split } from '../sql/split.ts'

/** Lays out the statements of a text. */
export const formatText = (text: string): string => format(text, { tokensOf, split, dialect: mariadb, numbered: [] })
