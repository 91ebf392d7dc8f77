import { expect, test } from 'vitest'
import { aBinding, shop } from '../factories.ts'
import type { Given } from './given.ts'

export function scenariosConform(given: Given): void {
  test('a scenario version that was never kept is null', async () => {
    expect(await given.store.findScenarioVersion('sha')).toBeNull()
  })

  test('keeping a version again changes nothing', async () => {
    await given.store.saveScenarioVersion('sha', { scenarioJson: '{"a":1}', format: 1 })
    await given.store.saveScenarioVersion('sha', { scenarioJson: '{"a":2}', format: 2 })
    expect(await given.store.findScenarioVersion('sha')).toEqual({ scenarioJson: '{"a":1}', format: 1 })
  })

  test('the text of a scenario replaces the one before, and a reset of all removes it only if asked to', async () => {
    const { store } = given
    await store.saveScenarioText('b', 'one')
    await store.saveScenarioText('a', 'x')
    await store.saveScenarioText('b', 'two')
    const kept = [
      { id: 'a', text: 'x' },
      { id: 'b', text: 'two' },
    ]
    expect(await store.scenarioTexts()).toEqual(kept)
    await store.reset({ clients: false })
    expect(await store.scenarioTexts()).toEqual(kept)
    await store.reset({ clients: false, scenarios: true })
    expect(await store.scenarioTexts()).toEqual([])
  })

  test('the most particular binding that fits is taken first', async () => {
    const { store } = given
    const any = aBinding()
    const client = aBinding({ clientId: shop })
    const request = aBinding({ requestId: 'r' })
    const both = aBinding({ clientId: shop, requestId: 'r' })
    await store.addBinding(any)
    expect(await store.bindingFor(shop, 'r')).toEqual(any)
    await store.addBinding(client)
    expect(await store.bindingFor(shop, 'r')).toEqual(client)
    await store.addBinding(request)
    expect(await store.bindingFor(shop, 'r')).toEqual(request)
    await store.addBinding(both)
    expect(await store.bindingFor(shop, 'r')).toEqual(both)
    expect(await store.bindingFor(shop, 'other')).toEqual(client)
    expect(await store.bindingFor('other', 'r')).toEqual(request)
    expect(await store.bindingFor('other', 'other')).toEqual(any)
  })

  test('among equal bindings the oldest comes first', async () => {
    const first = aBinding({ clientId: shop, id: 'z' })
    await given.store.addBinding(first)
    await given.store.addBinding(aBinding({ clientId: shop, id: 'a' }))
    expect(await given.store.bindingFor(shop, 'r')).toEqual(first)
  })

  test('bindings are listed from the oldest, of one client if asked, and those that are used up are not', async () => {
    const { store } = given
    const any = aBinding()
    const client = aBinding({ clientId: shop })
    for (const binding of [any, client, aBinding({ remaining: 0 })]) await store.addBinding(binding)
    expect(await store.listBindings({ limit: 9 })).toEqual({ items: [any, client], next: null })
    expect((await store.listBindings({ limit: 9, clientId: shop })).items).toEqual([client])
    const { items, next } = await store.listBindings({ limit: 1 })
    expect(items).toEqual([any])
    expect((await store.listBindings({ limit: 1, cursor: next ?? '' })).items).toEqual([client])
  })

  test('a binding that is taken back binds nothing, and only its own client can take it back', async () => {
    const { store } = given
    const binding = aBinding({ clientId: shop })
    await store.addBinding(binding)
    expect(await store.deleteBindings({ id: binding.id, clientId: 'other' })).toBe(0)
    expect(await store.bindingFor(shop, 'r')).toEqual(binding)
    expect(await store.deleteBindings({ id: binding.id, clientId: shop })).toBe(1)
    expect(await store.bindingFor(shop, 'r')).toBeNull()
    expect(await store.deleteBindings({ id: binding.id })).toBe(0)
  })

  test('the bindings of one client are taken back, or all', async () => {
    const { store } = given
    const any = aBinding()
    for (const binding of [any, aBinding({ clientId: shop }), aBinding({ clientId: shop })])
      await store.addBinding(binding)
    expect(await store.deleteBindings({ clientId: shop })).toBe(2)
    expect((await store.listBindings({ limit: 9 })).items).toEqual([any])
    expect(await store.deleteBindings({})).toBe(1)
  })

  test('a text that is forgotten leaves the others', async () => {
    const { store } = given
    await store.saveScenarioText('a', 'one')
    await store.saveScenarioText('b', 'two')
    await store.deleteScenarioText('a')
    await store.deleteScenarioText('unknown')
    expect(await store.scenarioTexts()).toEqual([{ id: 'b', text: 'two' }])
  })

  test('a used-up binding is never taken', async () => {
    await given.store.addBinding(aBinding({ remaining: 0 }))
    expect(await given.store.bindingFor(shop, 'r')).toBeNull()
  })
}
