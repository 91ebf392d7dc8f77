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

  test('a used-up binding is never taken', async () => {
    await given.store.addBinding(aBinding({ remaining: 0 }))
    expect(await given.store.bindingFor(shop, 'r')).toBeNull()
  })
}
