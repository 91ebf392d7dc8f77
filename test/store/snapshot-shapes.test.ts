import { getTableColumns, getTableName, is } from 'drizzle-orm'
import { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'
import * as schema from '../../src/store/sqlite/schema.ts'
import { shapes } from '../../src/store/sqlite/snapshot/shapes.ts'

test('each shape that a snapshot is checked by is of a column that there is', () => {
  const columns = Object.values(schema).flatMap((table) =>
    is(table, SQLiteTable)
      ? Object.values(getTableColumns(table)).map(({ name }) => `${getTableName(table)}.${name}`)
      : [],
  )
  expect(Object.keys(shapes).filter((column) => !columns.includes(column))).toEqual([])
})
