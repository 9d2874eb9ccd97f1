; Every terminator, and phis of all kinds.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare i32 @throws(i32)
declare i32 @__gxx_personality_v0(...)
declare void @llvm.trap()

define i32 @choose(i32 %x, i128 %y) {
entry:
  switch i32 %x, label %other [ i32 0, label %done
                                i32 -1, label %done
                                i32 7, label %seven ]
seven:
  switch i128 %y, label %done [ i128 18446744073709551616, label %wide ]
wide:
  br label %done
other:
  %small = icmp ult i32 %x, 100
  br i1 %small, label %done, label %bad
bad:
  call void @llvm.trap()
  unreachable
done:
  %result = phi i32 [ 10, %entry ], [ 10, %entry ], [ %x, %seven ], [ 3, %wide ], [ 4, %other ]
  ret i32 %result
}

define { i32, <2 x float> } @loop(i32 %n, <2 x float> %start) {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %head ]
  %pair = phi <2 x float> [ %start, %entry ], [ %doubled, %head ]
  %old = phi i32 [ -1, %entry ], [ %i, %head ]
  %doubled = fadd <2 x float> %pair, %pair
  %next = add nuw nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %head, label %end
end:
  %a = insertvalue { i32, <2 x float> } poison, i32 %old, 0
  %b = insertvalue { i32, <2 x float> } %a, <2 x float> %doubled, 1
  ret { i32, <2 x float> } %b
}

define i32 @guarded(i32 %x) personality ptr @__gxx_personality_v0 {
entry:
  %first = invoke i32 @throws(i32 %x) to label %next unwind label %pad
next:
  %second = invoke i32 @throws(i32 %first) to label %join unwind label %pad
join:
  %result = phi i32 [ %second, %next ]
  ret i32 %result
pad:
  %seen = phi i32 [ 0, %entry ], [ %first, %next ]
  %exception = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %exception
}
