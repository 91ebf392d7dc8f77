import { type Option, Options } from './form.tsx'
import { linkTo, type Shell } from './view.ts'

/** A filter parameter of the page's address. */
export interface Filter {
  readonly name: string
  readonly label: string
  readonly value: string | undefined
  readonly placeholder?: string
  /** The values to choose from, without the empty option. */
  readonly options?: readonly Option[]
  /** The name of the empty option; default: `all`. */
  readonly none?: string
  readonly suggestions?: readonly string[]
  /** Whether the field gets most of the room, as a search does. */
  readonly wide?: boolean
}

/** The filters of a list, as a form that leads to the list's address.
 *  @param path of the page, below `/_emulator` */
export function Filters({
  shell,
  path,
  filters,
  label = 'Filter',
}: {
  shell: Shell
  path: string
  filters: readonly Filter[]
  /** The label of the filter button. */
  label?: string
}) {
  const isSet = filters.some(({ value }) => value !== undefined && value !== '')
  return (
    <search>
      <form class="filters" method="get" action={`/_emulator${path}`} id="filters">
        {shell.clientId === undefined ? null : <input type="hidden" name="clientId" value={shell.clientId} />}
        {filters.map((filter) => (
          <div class={filter.wide ? 'field wide' : 'field'}>
            <label for={idOf(filter)}>{filter.label}</label>
            <FilterControl filter={filter} />
          </div>
        ))}
        <div class="filters-row">
          <button type="submit" class="button">
            {label}
          </button>
          <span id="filters-clear" data-fresh>
            {isSet ? <a href={linkTo(shell, path)}>Clear</a> : null}
          </span>
        </div>
      </form>
    </search>
  )
}

function FilterControl({ filter }: { filter: Filter }) {
  const { name, value = '', placeholder, options, none = 'all', suggestions, wide } = filter
  const id = idOf(filter)
  if (options !== undefined)
    return (
      <select id={id} name={name}>
        <option value="">{none}</option>
        <Options options={options} chosen={value} />
      </select>
    )
  const list = suggestions === undefined ? undefined : `${id}-list`
  return (
    <>
      <input
        id={id}
        name={name}
        type={wide ? 'search' : 'text'}
        value={value}
        placeholder={placeholder}
        list={list}
        autocomplete="off"
        spellcheck={false}
      />
      {suggestions === undefined ? null : (
        <datalist id={list}>
          {suggestions.map((suggestion) => (
            <option value={suggestion} />
          ))}
        </datalist>
      )}
    </>
  )
}

const idOf = ({ name }: Filter): string => `filter-${name.replaceAll('.', '-')}`
