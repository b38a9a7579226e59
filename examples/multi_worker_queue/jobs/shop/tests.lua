local PAGE = [[<li class="product"><a class="name" href="/k">Kettle</a><span class="price">€ 4</span></li>]]

function test_counts_pages_by_worker()
  heddle.run_cycle({ body = PAGE, worker_id = 1 })
  heddle.run_cycle({ body = PAGE, worker_id = 3 })
  heddle.run_cycle({ body = PAGE, worker_id = 3 })
  heddle.assert_eq(pages_of_worker, { [1] = 1, [3] = 2 })
end

function test_adds_up_the_items_of_all_pages()
  for _ = 1, 3 do heddle.run_cycle({ body = PAGE }) end
  heddle.assert_eq(global_store_get("items_found"), "3")
end

function test_begins_each_run_at_zero()
  heddle.run_cycle({ body = PAGE })
  on_finished()
  heddle.assert_eq(pages_of_worker, {})
end
