package emulator

const (
	keyCPU    = "cpu"
	keyMemory = "memory"
)

// The quotas of Cloud Run that a job draws on. Jobs always draw on the one without zonal redundancy; its sibling is only shown.
// The units of nvidia-rtx-pro-6000 are thousandths of a GPU here and whole GPUs in a refusal: that is how the service has it.
var quotas = []Quota{
	{
		ID: "CpuAllocPerProjectRegion", Metric: "run.googleapis.com/cpu_allocation",
		DisplayName: "Total CPU allocation", Units: 1000, Default: 20, key: keyCPU, regions: locations,
	},
	{
		ID: "MemAllocPerProjectRegion", Metric: "run.googleapis.com/mem_allocation",
		DisplayName: "Total memory allocation", Units: gib, Default: 40, key: keyMemory, regions: locations,
	},
	{
		ID: "NvidiaL4GpuAllocNoZonalRedundancyPerProjectRegion", Metric: "run.googleapis.com/nvidia_l4_gpu_allocation_no_zonal_redundancy",
		DisplayName: "Total NVIDIA L4 GPU allocation without zonal redundancy", Units: 1, Default: 3, key: typeL4, regions: regionsL4, gpu: true,
	},
	{
		ID: "NvidiaL4GpuAllocPerProjectRegion", Metric: "run.googleapis.com/nvidia_l4_gpu_allocation",
		DisplayName: "Total NVIDIA L4 GPU allocation", Units: 1, regions: regionsL4, gpu: true,
	},
	{
		ID:          "NvidiaRtxPro6000GpuAllocNoZonalRedundancyPerProjectRegion",
		Metric:      "run.googleapis.com/nvidia_rtx_pro_6000_gpu_allocation_no_zonal_redundancy",
		DisplayName: "Total NVIDIA RTX PRO 6000 GPU allocation without zonal redundancy", Units: 1000, Default: 3, key: typeRTX, regions: regionsRTX, gpu: true,
	},
	{
		ID: "NvidiaRtxPro6000GpuAllocPerProjectRegion", Metric: "run.googleapis.com/nvidia_rtx_pro_6000_gpu_allocation",
		DisplayName: "Total NVIDIA RTX PRO 6000 GPU allocation", Units: 1000, regions: regionsRTX, gpu: true,
	},
}

// quotaOf returns the quota that the key of a knob stands for.
func quotaOf(key string) Quota {
	for _, quota := range quotas {
		if quota.key == key {
			return quota
		}
	}
	return Quota{}
}
