"""The stage that a run must have reached when an event is printed; data only, because it grows with every program."""

from __future__ import annotations

from ..report import Stage

_EVENTS: dict[Stage, str] = {
    "load": """
        model_at pte_at pte_magic pte_size model_file methods method program_load_failed identifier_mismatch
        program_failed method_meta_failed model_size bundle_detected bundle_absent program_loading
        program_loaded model_schema rtt_model rtt_method a320_model tflite_device tflite_option tflite_no_device
        loading_from pack_model pack_named pack_program nuvoton_size dual_step dual_program dual_models
        vision_started beken_started beken_model himax_shape mailbox_pte mera_started beken_loaded hpx_model
        aen_model mlek_resolver bench_arena_size mcu_model_at mcu_model_size mcu_arena renesas_started psoc_model psoc_size example_size
        pico_started pico_methods pico_method axon_size axon_methods axon_method nsx_model sketch_size sketch_methods
    """,
    "plan": """
        planned_count etdump_setup etdump_buffer stream_malformed allocator_start method_pool planned_buffer
        planned_fast_pool planned_total delegate_init method_load_start method_load_failed method_loaded
        model_loaded_time planned_allocation_failed values_failed operator_missing kernel_missing arena_failed
        resolver_missing tensors_failed node_unprepared mlek_arena mlek_arena_used planned_buffer_open
        arena_short arena_needs arena_untold resolver_full tensor_dynamic tensors_reason backend_missing
        backend_init_failed tflite_delegated tflite_applied tflite_unresolved tflite_plan_failed
        tflite_build_failed tflite_ready rtt_ready pack_method pack_ready pack_pools dual_planned dual_temp
        dual_arena pico_loading himax_step himax_ready himax_unplanned himax_unreserved beken_arena beken_used pico_pool pico_planned
        psoc_arena axon_bound nsx_arena mlek_allocator coreml_loaded coreml_method
    """,
    "inputs": """
        input_count input_copied input_skipped input_converted input_loaded inputs_start inputs_ready
        bundle_input inputs_failed job_inputs_failed input_room input_image input_tensor rtt_input dual_inputs
        himax_input aen_input psoc_frames psoc_unfed
    """,
    "execute": """
        server_mode inference_number delegate_data delegate_region npu_failed invoke_failed node_failed
        driver_reserve_failed mlek_start mlek_model_start cycle_counter_unread tflm_running tflm_waiting
        execute_start delegate_execute tensor_permuted execution_failed kernel_failed delegate_failed
        scratch_failed invocation_failed iteration call_cycles npu_timed_out npu_status config_mismatch
        arch_mismatch config_garbled driver_timed_out driver_error driver_payload rtt_execute rtt_call
        rtt_called axon_running rtt_status rtt_turn driver_step npu_config driver_done driver_stopped tflite_npu_cycles
        tflite_invoke_failed npu_tool_unrun tflite_invoked tflite_count mlek_invoke_failed step_running pack_running
        sds_started dual_running mera_first mera_run pico_running psoc_failed psoc_stopped test_started vad_started
        vad_frame
    """,
    "report": """
        server_done predictions_start class_score outputs_failed output_dtype outputs_differ job_outputs_differ
        mask_shape mask_figure mask_data zephyr_outputs output_tensor output_lost mlek_statistics mlek_result mlek_class mlek_box mlek_found
        mlek_label mlek_score mlek_heard output_saved esp_report esp_inferences mlek_recognised tflm_finished
        tflm_answer tflm_arena tflm_runtime tflm_class tflm_label tflm_person tflm_sure word_heard
        output_elements class_best class_named class_sure tflm_seen inferences delegations profile_start
        operator_cycles operators_total inference_cycles cpu_ratio npu_ratio cpu_wait pmu_start npu_cycles
        counter counter_names inferences_finished executed executed_times outputs output output_bool method_use
        temp_use model_run bundle_result inference_time prediction mlek_cycles mlek_beats mlek_active mlek_idle raw_output tensor_text
        a320_outputs cpu_operator_cycles mcu_method_pool mcu_temp_pool mcu_time mcu_found
        rtt_output rtt_top rtt_element tflite_average tflite_timings mlek_inferences kit_rate step_done
        step_timed pack_frames pack_measured pack_result pack_output pack_classified pack_class pack_time
        pack_found pack_frame sds_stopped loop_begun loop_class loop_time himax_ticks himax_results himax_result
        himax_class beken_found beken_person mailbox_ran mailbox_frame hpx_count llm_tokens llm_generated dual_ran
        dual_result dual_time dual_live pico_time pico_results pico_predicted psoc_cpu psoc_npu psoc_accurate psoc_inaccurate
        coreml_time axon_time axon_step axon_output nsx_ran renesas_time renesas_npu_time mera_class mera_share test_passed test_reported test_memory test_method_pool test_temp_pool vad_segments
    """,
    "complete": """
        pico_complete program_complete example_complete vad_summary
    """,
}

STAGE: dict[str, Stage] = {kind: stage for stage, kinds in _EVENTS.items() for kind in kinds.split()}
